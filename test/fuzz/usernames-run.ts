/**
 * Runs B6 at any count: `node dist/test/fuzz/usernames-run.js --count 200000 --seed 1`.
 */
import { runCounted } from './counted.ts'
import { tryNames } from './usernames.ts'

const help = 'Random user names, judged by the server and by an independent checker.'
await runCounted({ name: 'usernames', help, count: 200_000 }, async ({ count, seed }) => {
  const { byRule, failures, free } = await tryNames(count, seed)
  const rules = [...byRule].sort(([a], [b]) => a - b)
  const lines = [rules.map(([rule, times]) => `rule ${rule}: ${times}`).join(', ')]
  return { lines, failures, last: `${count} names, ${free} of them free` }
})
