import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { JsonPeer } from './JsonPeer.js';

const project = fileURLToPath(new URL('lucene/', import.meta.url));
const output = fileURLToPath(new URL('../../.cache/peers/lucene', import.meta.url));

/**
 * Class path of the Lucene peer, compiled by Maven in the cache folder on the first run; null, with the reason on standard
 * error, where that cannot be done.
 */
function prepareLucene(): string | null {
  const marker = `${output}/class-path`;
  if (existsSync(marker)) return readFileSync(marker, 'utf8');
  const parameters = ['--quiet', '--batch-mode', '--file', `${project}pom.xml`, `-DoutputFolder=${output}`];
  const goals = ['compile', 'dependency:build-classpath', `-Dmdep.outputFile=${output}/dependencies`];
  const { status, error, stdout } = spawnSync('mvn', [...parameters, ...goals], { encoding: 'utf8' });
  if (status !== 0) {
    console.error(`Lucene left out: mvn ${goals[0]}: ${error?.message ?? stdout.trim()}`);
    return null;
  }
  const classPath = `${output}/classes:${readFileSync(`${output}/dependencies`, 'utf8').trim()}`;
  writeFileSync(marker, classPath);
  return classPath;
}

/** Lucene with an index of the documents in an empty folder, on one processor; null where it cannot be run. */
export function startLucene(documents: string, queries: string, indexFolder: string): JsonPeer | null {
  const classPath = prepareLucene();
  if (classPath === null) return null;
  const java = process.env.JAVA_HOME === undefined ? 'java' : `${process.env.JAVA_HOME}/bin/java`;
  if (spawnSync(java, ['-version']).status !== 0) {
    console.error(`Lucene left out: ${java} does not run`);
    return null;
  }
  const machine = ['-XX:ActiveProcessorCount=1', '-Xmx2g', '-cp', classPath];
  return new JsonPeer(java, [...machine, 'LucenePeer', documents, queries, indexFolder]);
}
