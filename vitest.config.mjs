import { defineConfig } from 'vitest/config'

/** Tests load from dist, like everything else; a skipped test counts as failed. */
export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    server: { deps: { external: [/\/dist\/(?!test\/)/] } },
    pool: 'forks',
    maxWorkers: 2,
    // Files share a process: most of a file's time alone would go into loading every domain again.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The closing lines name every test that needed it.
    retry: 1,
    // The SQL driver's late write (storage/db.ts, isLateWrite): the server goes on after it too.
    onUnhandledError: (error) => !/nextWrite/.test(error.stack ?? ''),
    reporters: ['default', './dist/test/closing-reporter.js'],
  },
})
