import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'integration', include: ['test/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
    pool: 'forks',
    // The default leaves a processor idle, which is half of a small machine.
    maxWorkers: '100%',
  },
});
