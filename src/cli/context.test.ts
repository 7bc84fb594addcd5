import { describe, expect, it } from 'vitest';
import { forPeople } from './context.js';
import { writeJson } from './output/json.js';
import { formatTable } from './output/table.js';

describe('a terminal', () => {
  it('shows names from right to left apart from the columns beside them, and JSON to the character', () => {
    let shown = '';
    const stream = forPeople({ isTTY: true, write: (text) => (shown += text) });
    stream.write(
      formatTable([
        ['שלום', '1.5'],
        ['b', '-2'],
      ]),
    );
    expect(shown).toBe('\u2068שלום\u2069  1.5\nb     -2\n');
    shown = '';
    writeJson(stream, ['שלום']);
    expect(shown).toBe('[\n  "שלום"\n]\n');
  });
});
