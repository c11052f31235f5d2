/** Command line of the check that all goods can be made: counts, longest chain, missing goods. */
import { newTool, wholeFrom } from '../../cli/command-line.ts'
import { generateGalaxy } from '../../core/catalog/index.ts'
import { reachOf } from './reach.ts'

const program = newTool(
  'npm run reach --',
  'Proves that everything with a recipe can be made from what the galaxy gives.',
).option('--seed <n>', 'seed of the galaxy', wholeFrom(0), 1)

const { seed } = program.parse().opts<{ seed: number }>()
const { counts, deepest, missing, recipes } = reachOf(generateGalaxy(seed))
for (const [origin, count] of Object.entries(counts)) console.log(`${origin}: ${count} goods`)
console.log(`${recipes} recipes; the longest chain has ${deepest.length - 1} steps:`)
console.log(`  ${deepest.join(' > ')}`)
for (const need of missing) console.error(`out of reach: ${need}`)
if (missing.length > 0) process.exitCode = 1
else console.log('everything is in reach')
