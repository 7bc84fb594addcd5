import { goldTags } from '../../cellNames.js';
import type { Finding } from '../../findings.js';
import { type Markup, markup } from '../../markup/markup.js';
import type { Report } from '../../report.js';
import { countText } from '../../words/numbers.js';
import { code, dataText, prose, taggedText } from '../table.js';

const stateLabels = { holds: 'Contract holds', fails: 'Contract fails', 'not audited': 'Not audited' } as const;

/** The top of the page: what was measured, whether it can be believed, and what follows from it. */
export function summarySection(report: Report): Markup {
  const { manifest, contract } = report;
  const state = contract.state.replace(' ', '-');
  return markup`<header>
<p class="kind">asof replay report</p>
<h1>${dataText(report.title)}</h1>
<p class="meta">Run ${code(manifest.runId)}, ${countText(manifest.rows)} rows, ${manifest.tool.name} ${manifest.tool.version}</p>
</header>
<section aria-label="Summary" class="summary">
${report.measured.map((sentence) => markup`<p>${prose(sentence)}</p>\n`)}${report.notes.map((note) => markup`<p class="note">${dataText(note)}</p>\n`)}<p class="contract ${state}"><strong>${stateLabels[contract.state]}</strong> ${contract.words}</p>
${findingsList(report.findings)}${stressFindings(report)}</section>`;
}

function stressFindings({ stressFindings: stress }: Report): Markup | null {
  if (stress.length === 0) return null;
  return markup`<h3 class="stress">Stress test: streams that use gold</h3>
<p>Such a stream orders requests by the assets they share, ideal conditions for memory. It says nothing of natural use and is never taken together with other streams.</p>
${findingsList(stress)}`;
}

function findingsList(findings: readonly Finding[]): Markup | null {
  if (findings.length === 0) return null;
  return markup`<div class="findings">
${findings.map(findingItem)}</div>
`;
}

function findingItem(finding: Finding): Markup {
  const { mechanism, usesGold, decision, gate, pitEffect, hindsightGain, ratios, caveat } = finding;
  return markup`<article>
<div><h2>${taggedText(mechanism, usesGold && goldTags.mechanism)}</h2><p class="decision">${decision}</p></div>
<div>
<p>${gate}</p>
<p>${pitEffect}</p>
<p class="beside"><span>Beside the decision, never part of it:</span> ${hindsightGain}${ratios.map((ratio) => ` ${ratio}`)}</p>
${caveat && markup`<p class="note">${caveat}</p>\n`}</div>
</article>
`;
}
