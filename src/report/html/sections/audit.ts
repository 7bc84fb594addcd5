import { type CheckFact, claimsInWords } from '../../contractFacts.js';
import { type Markup, markup } from '../../markup/markup.js';
import { allCells, type Report } from '../../report.js';
import { countText, percentText } from '../../words/numbers.js';
import { CellNamer, cellColumns, sharedDimensions } from '../cellColumns.js';
import { dataTable, dataText, numericColumn } from '../table.js';

/** The contract check by check, and the validity figures of every cell. */
export function auditSection(report: Report): Markup {
  const { contract, manifest } = report;
  return markup`<section id="audit">
<h2>Audit</h2>
<p>${contract.words}</p>
${claimsInWords(manifest).map((words) => markup`<p>${words}</p>`)}
<p>Eligibility (${dataText(manifest.eligibility.version)}). ${dataText(manifest.eligibility.words)}</p>
${contract.checks.length > 0 && checksTable(contract.checks)}${contract.checks.map(examplesOf)}${validityTable(report)}
</section>`;
}

function checksTable(checks: readonly CheckFact[]): Markup {
  const hasNotes = checks.some(({ note }) => note !== null);
  return dataTable({
    caption: 'Checks of the contract. Any violation invalidates the run; none is averaged into a score.',
    columns: [
      { label: 'Check', isProse: true },
      { label: 'Outcome' },
      numericColumn('Comparisons'),
      numericColumn('Violations'),
      ...(hasNotes ? [{ label: 'Note' }] : []),
    ],
    rows: checks.map(({ title, outcome, checked, violations, note }) => [
      dataText(title),
      markup`<span class="outcome ${outcome.replace(' ', '-')}">${outcome}</span>`,
      countText(checked),
      countText(violations),
      ...(hasNotes ? [note === null ? '' : dataText(note)] : []),
    ]),
  });
}

function examplesOf({ title, violations, examples }: CheckFact): Markup | null {
  if (examples.length === 0) return null;
  return dataTable({
    caption: markup`${dataText(title)}: the first ${examples.length} of ${countText(violations)} violations.`,
    columns: [{ label: 'Where', isProse: true }, { label: 'Found' }, { label: 'Expected' }],
    rows: examples.map(({ where, found, expected }) => [dataText(where), dataText(found), dataText(expected)]),
  });
}

function validityTable(report: Report): Markup | null {
  const cells = allCells(report);
  if (cells.length === 0) return null;
  const namer = new CellNamer(report);
  const names = cellColumns(report);
  return dataTable({
    caption: markup`Temporal Violation Rate (TVR) and the Naive control, from the rows.${sharedDimensions(report)}`,
    columns: [
      ...names,
      numericColumn('Largest PIT TVR'),
      numericColumn('Mean Future TVR'),
      numericColumn('Slots filled, PIT'),
      numericColumn('Slots filled, Future'),
      numericColumn('Naive − Future, largest difference'),
      numericColumn('Naive, Future: defined for one only'),
    ],
    rows: cells.map(({ effects }) => {
      const { largestPitTvr, futureSlotShare, slotFill, naiveDifference, naiveMismatches } = effects.validity;
      return [
        ...namer.next(effects.key),
        percentText(largestPitTvr),
        percentText(futureSlotShare),
        percentText(slotFill.pit),
        percentText(slotFill.future),
        exactText(naiveDifference),
        countText(naiveMismatches),
      ];
    }),
    headers: names.length,
  });
}

/** A difference that must be zero is shown as it is, however small. */
function exactText(value: number): string {
  return value === 0 ? '0' : value.toPrecision(3);
}
