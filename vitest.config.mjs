import { defineConfig } from 'vitest/config'

/** Tests load from dist, like everything else; a skipped test counts as failed. */
export const shared = {
  server: { deps: { external: [/\/dist\/(?!test\/)/] } },
  globalSetup: ['./dist/test/test-run.js'],
  setupFiles: ['./dist/test/setup.js'],
  pool: 'forks',
  maxWorkers: 2,
  // Files share a process: most of a file's time alone would go into loading every domain again.
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Longer than anything but a bug needs, also on a busy machine.
  expect: { poll: { timeout: 15_000, interval: 25 } },
  // The closing lines name every test that needed it.
  retry: 1,
  // The SQL driver's late write (storage/db.ts, isLateWrite): the server goes on after it too.
  onUnhandledError: (error) => !/nextWrite/.test(error.stack ?? ''),
  reporters: ['default', './dist/test/closing-reporter.js'],
}

/** The long runs stand in files of their own: `npm run soak`. */
export default defineConfig({
  test: { ...shared, include: ['dist/test/**/*.test.js'], exclude: ['**/*.soak.test.js'] },
})
