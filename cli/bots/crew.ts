/**
 * A crew of bots that play a world: miners, traders and crafters, each of which gives at most one
 * command per tick. The same seed in the same world gives the same commands.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { createDice } from '../../core/dice.ts'
import { admissionRefusal, definitionOf, type Engine } from '../../core/engine.ts'
import { createInbox, receive } from '../../core/inbox.ts'
import { pendingOf, playerNumber } from '../../core/pending.ts'
import type { Answer } from '../../core/ports.ts'
import type { JournalInput } from '../../core/types.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { craft } from './crafter.ts'
import { mine } from './miner.ts'
import type { Bot, Role, RoleName } from './moves.ts'
import { trade } from './trader.ts'

const ROLES: Readonly<Record<RoleName, Role>> = { miner: mine, trader: trade, crafter: craft }
/** The roles of ten bots; a larger crew repeats them. */
export const CREW: readonly RoleName[] = [
  'miner',
  'crafter',
  'trader',
  'miner',
  'trader',
  'crafter',
  'miner',
  'trader',
  'crafter',
  'miner',
]
/** The longest pause of a bot after a refusal. */
const PAUSE_TICKS = 5
/** How many names may already be taken before the crew gives up. */
const NAMES_TAKEN_MAX = 10_000
const FRAMING = 'http1'

/** Runs immediates, and returns their answers. */
type RunNow = (inputs: readonly JournalInput[]) => Promise<readonly Answer[]>

export interface Crew {
  /** Returns what the bots send for the next tick. */
  inputs(): readonly JournalInput[]
  /** Takes the answers of a batch. */
  note(answers: readonly Answer[]): void
}

/** Returns the result of an internal command, which must not be refused. */
function resultOf(answer: Answer | undefined): Readonly<Record<string, unknown>> {
  const outcome = answer?.outcome
  if (outcome?.ok) return outcome.result as Readonly<Record<string, unknown>>
  throw new Error(`A bot cannot join: ${outcome ? outcome.message : 'no answer'}`)
}

/** Registers this many bots and connects them; returns their player numbers. */
async function joinBots(count: number, now: RunNow): Promise<number[]> {
  const numbers: number[] = []
  const send = async (command: string, params: JournalInput['params']) =>
    (await now([{ ref: 1, player: 0, command, params, framing: FRAMING }]))[0]
  for (let name = 1; numbers.length < count; name++) {
    const empire = EMPIRES[Math.floor(numbers.length / CREW.length) % EMPIRES.length].id
    const made = await send('internal:register', { username: `Fork Bot ${name}`, empire })
    const isTaken = made?.outcome.ok === false && made.outcome.code === 'username_taken'
    if (isTaken && name < NAMES_TAKEN_MAX + count) continue
    const player = Number(resultOf(made).player)
    resultOf(await send('internal:bind', { player, channel: 'ws' }))
    numbers.push(player)
  }
  return numbers
}

/** Adds a crew to a world; throws an error with the refusal if the world has no room. */
export async function joinCrew(
  engine: Engine,
  { count, seed }: { readonly count: number; readonly seed: number },
  now: RunNow,
): Promise<Crew> {
  const { world, registry } = engine
  const dice = createDice(seed)
  const numbers = await joinBots(count, now)
  const bots = numbers.map((number, i): Bot => {
    const player = world.rowOf(world.players, number)
    const role = CREW[i % CREW.length]
    const home = dockedBase(world, player)
    return { player, role, home, dice: dice.branch(`bot ${i}`), restTick: 0 }
  })
  const byNumber = new Map(bots.map((bot, i) => [numbers[i], bot]))
  const anyMutation = definitionOf(registry, 'undock')
  const pause = (bot: Bot): void => {
    bot.plan = bot.role === 'miner' ? bot.plan : undefined
    bot.restTick = world.tick + 1 + bot.dice.below(PAUSE_TICKS)
  }
  const inputOf = (bot: Bot, ref: number): JournalInput | undefined => {
    const { player } = bot
    if (bot.restTick > world.tick || pendingOf(world, player)) return undefined
    if (admissionRefusal(world, registry, anyMutation, player)) return undefined
    const wish = ROLES[bot.role](world, bot)
    if (!wish) return undefined
    const { command, params = {} } = wish
    const number = playerNumber(world, player)
    const input: JournalInput = { ref, player: number, command, params, framing: FRAMING }
    const answer = receive(world, registry, createInbox(), input)
    if (answer?.stage === 'accepted') return input
    pause(bot)
    return undefined
  }
  return {
    inputs: () => bots.flatMap((bot, i) => inputOf(bot, i + 1) ?? []),
    note(answers) {
      for (const { player, outcome } of answers) {
        const bot = byNumber.get(player)
        if (bot && !outcome.ok) pause(bot)
      }
    },
  }
}
