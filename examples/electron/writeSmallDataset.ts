import { simulatedNote } from './buildDataset.js';
import { buildSmallElectronDataset } from './smallDataset.js';

/** `npx tsx examples/electron/writeSmallDataset.ts FOLDER`: a collection small enough to try a replay on in seconds. */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: writeSmallDataset.ts <folder>');
const { notes, requests } = await buildSmallElectronDataset(folder);
console.log(`${notes} notes and ${requests} requests in ${folder}\n${simulatedNote}`);
