/** The command line of the search for what can be made: counts, the longest chain, what lacks. */
import { Command } from 'commander'
import { generateGalaxy } from '../../core/catalog/index.ts'
import { reachOf } from './reach.ts'

const program = new Command('reach')
  .description('Proves that everything with a recipe can be made from what the galaxy gives.')
  .option('--seed <seed>', 'seed of the galaxy', '1')

const { seed } = program.parse().opts<{ seed: string }>()
const { counts, deepest, missing, recipes } = reachOf(generateGalaxy(Number(seed)))
for (const [origin, count] of Object.entries(counts)) console.log(`${origin}: ${count} goods`)
console.log(`${recipes} recipes; the longest chain has ${deepest.length - 1} steps:`)
console.log(`  ${deepest.join(' > ')}`)
for (const row of missing) console.error(`out of reach: ${row}`)
if (missing.length > 0) process.exitCode = 1
else console.log('everything is in reach')
