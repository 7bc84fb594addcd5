import { type Markup, markup } from '../markup/markup.js';
import type { Report } from '../report.js';
import { htmlPage } from './htmlPage.js';
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
  const { name, version } = report.manifest.tool;
  return htmlPage({
    title: `${report.title}: asof replay report`,
    generator: `${name} ${version}`,
    style: pageStyle,
    main: markup`${summarySection(report)}
<nav aria-label="Contents"><ul>${contents}</ul></nav>
${sections.map(({ content }) => markup`${content}\n`)}`,
    footer: markup`Made by ${name} ${version} from run ${report.manifest.runId}. Terms and measures follow PIT Discovery (arXiv 2609.12766).`,
  });
}

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
