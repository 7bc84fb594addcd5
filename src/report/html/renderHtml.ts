import { sha256 } from '../../commitment/sha256.js';
import { Markup, markup } from '../markup/markup.js';
import type { Report } from '../report.js';
import { auditSection } from './sections/audit.js';
import { effectsSection } from './sections/effects.js';
import { horizonSection } from './sections/horizon.js';
import { metricsSection } from './sections/metrics.js';
import { positionSection } from './sections/position.js';
import { inputsSection, reproductionSection } from './sections/provenance.js';
import { assetTypesSection, nearDuplicatesSection, ratiosSection } from './sections/robustness.js';
import { summarySection } from './sections/summary.js';
import { pageStyle } from './style.js';

/**
 * The report as one HTML page that stands alone: no script, no font, no request of any kind, and a content security
 * policy that allows nothing but the page's own style. The same report gives the same bytes.
 */
export function renderHtml(report: Report): string {
  const sections = sectionsOf(report);
  const contents = sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${`${report.manifest.tool.name} ${report.manifest.tool.version}`}">
<title>${report.title}: asof replay report</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<main>
${summarySection(report)}
<nav aria-label="Contents"><ul>${contents}</ul></nav>
${sections.map(({ content }) => markup`${content}\n`)}</main>
<footer><p>Made by ${report.manifest.tool.name} ${report.manifest.tool.version} from run ${report.manifest.runId}. Terms and measures follow PIT Discovery (arXiv 2609.12766).</p></footer>
</body>
</html>
`;
  return page.text;
}

/** Only the style with this digest may apply, and nothing may be loaded, run, framed or sent. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(pageStyle).toString('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

function sectionsOf(report: Report): Section[] {
  const sections: Section[] = [];
  const add = (id: string, title: string, content: Markup | null) => {
    if (content !== null) sections.push({ id, title, content });
  };
  if (report.headline !== null) {
    add('effects', 'Effects', effectsSection(report));
    add('horizon', 'Future horizon', horizonSection(report));
    add('position', 'Anchor position', positionSection(report));
    add('ratios', 'Masked harm', ratiosSection(report));
    add('metrics', 'Metrics and cutoffs', metricsSection(report));
    add('types', 'Asset types', assetTypesSection(report));
    add('near-duplicates', 'Near duplicates', nearDuplicatesSection(report));
  }
  add('audit', 'Audit', auditSection(report));
  add('inputs', 'Inputs', inputsSection(report));
  add('reproduce', 'Reproduction', reproductionSection(report));
  return sections;
}
