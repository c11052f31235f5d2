import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'

/** Folders whose files take long, of which many do little but wait. */
const LONG = ['fault', 'sim', 'web', 'fuzz', 'e2e', 'bench', 'economy', 'property', 'readme']

/**
 * Runs long files first, one of each folder in turn, so that those which wait run beside those
 * which compute; then the many short ones, with which all workers end together.
 */
class LongFilesFirst extends BaseSequencer {
  async sort(files) {
    const runs = new Map(LONG.map((folder) => [folder, 0]))
    const placeOf = ({ moduleId }) => {
      const folder = /\/dist\/test\/(\w+)\//.exec(moduleId)?.[1]
      const round = runs.get(folder)
      if (round === undefined) return Number.MAX_SAFE_INTEGER
      runs.set(folder, round + 1)
      return round * LONG.length + LONG.indexOf(folder)
    }
    const placed = (await super.sort(files)).map((file) => ({ file, place: placeOf(file) }))
    return placed.sort((one, other) => one.place - other.place).map(({ file }) => file)
  }
}

/** Tests load from dist, like everything else; a skipped test counts as failed. */
export const shared = {
  server: { deps: { external: [/\/dist\/(?!test\/)/] } },
  globalSetup: ['./dist/test/test-run.js'],
  setupFiles: ['./dist/test/setup.js'],
  pool: 'forks',
  // One more than the cores of a small machine: many files do little but wait.
  maxWorkers: 3,
  // Files share a process: most of a file's time alone would go into loading every domain again.
  isolate: false,
  sequence: { sequencer: LongFilesFirst },
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
