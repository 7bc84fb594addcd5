import { RandomSource } from '../../src/random/RandomSource.js';
import { instantOfDate } from '../../src/time/civil.js';
import { formatInstant } from '../../src/time/formatInstant.js';
import { millisecondsPerDay, millisecondsPerMinute } from '../../src/time/instant.js';

/** An event of the stream, in the fields of its log. */
export interface StreamEvent {
  readonly event_id: string;
  readonly ts: string;
  readonly product: string;
  readonly event_type: string;
  readonly asset_id: string;
  readonly msg: string;
  readonly context: Readonly<Record<string, string | number>>;
  readonly tech: readonly string[];
  readonly attack: readonly string[];
  readonly risk_tag: readonly string[];
}

const weeks = 12;
const start = instantOfDate(2025, 4, 1);

/**
 * A security log of twelve weeks from 1 April 2025 by the script of the temporal RAG paper, section 5.2.1:
 * - failed sign-ins with Okta, 20 a week, 30 in weeks 4 to 8, give or take 3: growth
 * - data access, 25 a week, give or take 5, to S3 before week 6 and to Snowflake from then on: drift
 * - findings of Qualys, 30 a week, 10 from week 9 on, give or take 3: decay
 *
 * Weeks of the script begin on a Tuesday; those of a calendar do not. Equal seeds give equal streams.
 */
export function generateStream(seed: number): StreamEvent[] {
  const random = new RandomSource(seed, 'examples/synthetic-stream');
  const pick = <T>(choices: readonly T[]): T => choices[random.below(choices.length)]!;
  const events: StreamEvent[] = [];
  for (let week = 0; week < weeks; week++) {
    const emit = (series: string, usual: number, spread: number, make: () => Omit<StreamEvent, 'event_id' | 'ts'>) => {
      const count = Math.max(5, usual + random.between(-spread, spread));
      for (let i = 0; i < count; i++) {
        const minutes = random.between(0, (7 * millisecondsPerDay) / millisecondsPerMinute);
        const ts = formatInstant(start + week * 7 * millisecondsPerDay + minutes * millisecondsPerMinute);
        events.push({ event_id: `${series}-${week}-${i}`, ts, ...make() });
      }
    };
    emit('A', week >= 4 && week <= 8 ? 30 : 20, 3, () => ({
      product: 'okta',
      event_type: 'auth.failure',
      asset_id: 'vpn-1',
      msg: 'MFA denied',
      context: { geo: pick(['US-CA', 'US-NY', 'CN', 'DE']), method: 'push' },
      tech: ['okta', 'vpn', 'mfa'],
      attack: ['TA0006:T1110'],
      risk_tag: ['identity'],
    }));
    const isLater = week >= 6;
    emit('B', 25, 5, () => ({
      product: isLater ? 'snowflake' : 'aws',
      event_type: 'data.access',
      asset_id: pick(['etl-1', 'etl-2', 'bi-1']),
      msg: isLater ? 'Snowflake SELECT large result set' : 'S3 GetObject request',
      context: { region: pick(['us-east-1', 'us-west-2', 'eu-central-1']) },
      tech: isLater ? ['snowflake', 'sql'] : ['aws', 's3'],
      attack: ['TA0010:T1020'],
      risk_tag: ['exfiltration'],
    }));
    emit('C', week < 9 ? 30 : 10, 3, () => ({
      product: 'qualys',
      event_type: 'vuln.finding',
      asset_id: pick(['web-1', 'db-2', 'api-3']),
      msg: 'OpenSSL CVE found',
      context: { cvss: pick([6.5, 7.2, 8.1, 9.8]) },
      tech: ['openssl', 'linux'],
      attack: [],
      risk_tag: ['vulnerability'],
    }));
  }
  return events;
}
