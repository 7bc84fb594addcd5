/**
 * Imports point downwards only. The floors are listed from the ground up in ARCHITECTURE.md; a folder may import
 * from its own floor's folder (itself) and from any folder listed before it.
 */
const floors = [
  ['errors'],
  ['threads'],
  ['files'],
  ['commitment'],
  ['random'],
  ['kernels'],
  ['columnar'],
  ['time'],
  ['lineage'],
  ['corpus'],
  ['inference'],
  ['embedding'],
  ['clustering'],
  ['retrieval'],
  ['memory'],
  ['evaluation'],
  ['topics', 'replay'],
  ['audit'],
  ['report'],
  ['store'],
  ['search'],
  ['server'],
  ['mcp'],
  ['cli', 'integrations'],
];

const rules = floors.flatMap((floor, level) =>
  floor.map((folder) => {
    const allowed = [...floors.slice(0, level).flat(), folder];
    return {
      name: `imports-point-down-from-${folder}`,
      severity: 'error',
      comment: 'Imports point downwards only (ARCHITECTURE.md).',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${allowed.join('|')})/` },
    };
  }),
);

module.exports = {
  forbidden: [
    ...rules,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'labels-stay-in-evaluation',
      severity: 'error',
      comment:
        'Relevance labels (products) reach evaluation, the feedback mechanism and the gold-overlap stress stream; never streams, selection or ranking.',
      from: {
        path: '^src/(inference|embedding|clustering|retrieval|memory|replay/streams|topics)/',
        pathNot: '/testing/|(/feedback|/goldOverlap)[^/]*\\.ts$',
      },
      to: { path: '^src/corpus/products\\.ts$' },
    },
    {
      name: 'not-to-dev-dependency',
      severity: 'error',
      // What is integrated with is an optional peer.
      from: { path: '^src/', pathNot: '\\.test\\.ts$|/testing/|^src/integrations/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^dist/|\\.test\\.ts$)' },
  },
};
