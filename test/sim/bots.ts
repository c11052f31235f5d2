/** Makes the players of a seed, and draws the commands they may send. */
import type { CommandDef } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'
import type { Registry } from '../../core/registry.ts'
import { type Bot, type BotOptions, createBot } from './bot.ts'

/** Chance of a seed in which plans may use commands that the seed leaves out, %. */
const PLANS_PCT = 75
/** Commands that main answers but that have nothing to do with the login. */
const MAIN_COMMANDS = new Set(['help', 'get_notifications'])

interface BotsOptions
  extends Pick<BotOptions, 'dice' | 'stage' | 'plan' | 'audit' | 'tally' | 'tick' | 'hasNodes'> {
  readonly registry: Registry
  /** Returns how the bot with this number finds a front to connect to. */
  front(number: number): BotOptions['front']
}

/** Draws the commands of this seed: about half of all, each repeated by its weight. */
function drawCommands(registry: Registry, dice: Dice): CommandDef[] {
  const usable = [...registry.commands.values()].filter(
    (def) => def.category !== 'internal' && (def.kind !== 'session' || MAIN_COMMANDS.has(def.name)),
  )
  return dice.half(usable).flatMap((def) => {
    const weight = (1 + dice.below(4)) * (def.kind === 'query' ? 1 : 3)
    return Array.from({ length: weight }, () => def)
  })
}

export function createBots(count: number, options: BotsOptions): Bot[] {
  const { registry, dice, front, ...shared } = options
  const commands = drawCommands(registry, dice.branch('commands'))
  const hasPlans = dice.branch('plans').chance(PLANS_PCT)
  return Array.from({ length: count }, (_, number) => {
    const name = `Bot ${number + 1}`
    const about = { ...shared, name, dice: dice.branch(name), commands, hasPlans }
    return createBot(
      { ...about, find: (wanted) => registry.commands.get(wanted), front: front(number) },
      number,
    )
  })
}
