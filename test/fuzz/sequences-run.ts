/**
 * Runs B9 at any count: `node dist/test/fuzz/sequences-run.js --count 10000 --seed 1 [--path P]`.
 */
import { runCounted } from './counted.ts'
import { runSequences } from './sequences.ts'

const help = `Compares sequences of 200 commands of three players with a model of what they own.
--path P replays the failure that was printed with it.`
await runCounted({ name: 'sequences', help, count: 10_000 }, async ({ count, seed, path }) => {
  try {
    const tally = await runSequences({ runs: count, seed, path })
    const lines = [...tally].sort().map(([answer, times]) => `${answer} ${times}`)
    return { lines, failures: [], last: `${count} sequences` }
  } catch (error) {
    const { message, cause } = error as Error
    const [head = '', where = ''] = message.split('\n')
    return { lines: [], failures: [head, where, String(cause)], last: 'a sequence failed' }
  }
})
