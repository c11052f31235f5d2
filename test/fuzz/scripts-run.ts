/** Runs B8 at any count: `node dist/test/fuzz/scripts-run.js --count 100000 --seed 1`. */
import { runCounted } from './counted.ts'
import { tryScripts } from './scripts.ts'

const help = 'Compiles drone scripts that nearly follow the grammar, and flies those that compile.'
await runCounted({ name: 'scripts', help, count: 100_000 }, async ({ count, seed }) => {
  const { ran, counts, failures } = await tryScripts(count, seed)
  const lines = [...counts].sort().map(([outcome, times]) => `${outcome} ${times}`)
  return { lines, failures, last: `${count} scripts, ${ran} of them flown` }
})
