/**
 * Random calls of every command (I5, I12): a refused one leaves no trace, compared with a twin that
 * never got it; an accepted one does the same in both; and a reloaded world continues like the one
 * that was never saved.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf } from '../../core/columns.ts'
import { type CommandDef, commandKey, isMutation } from '../../core/command.ts'
import { forgetHashes, stateHash } from '../../core/hash.ts'
import { createInbox, receive } from '../../core/inbox.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Answer } from '../../core/ports.ts'
import { runTick } from '../../core/tick.ts'
import type { Eid, JournalInput } from '../../core/types.ts'
import { finishBatch, rowOfBatch } from '../../core/wire/describe.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../small-world.ts'

onSmallMap()

interface Draw {
  readonly player: number
  readonly command: number
  /** One number per parameter: it picks one of the values, or none. */
  readonly values: readonly number[]
}

const TEXTS = ['iron_ore', 'fuel_cell', 'Tester 2', 'sol', 'system', 'no such thing', '']
const NUMBERS = [1, 2, 5, 100, 1_000_000]

interface Field {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
}

function drawValue(field: Field, draw: number): unknown {
  if (field.enum) return field.enum[draw % field.enum.length]
  if (field.type === 'boolean') return draw % 2 === 0
  if (field.type === 'integer' || field.type === 'number') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = field
    return Math.max(minimum, Math.min(maximum, NUMBERS[draw % NUMBERS.length]))
  }
  if (field.type === 'string' && draw % 2 === 0) {
    return TEXTS[draw % TEXTS.length] || 'x'.repeat(field.minLength ?? 1)
  }
  return field.examples?.[0]
}

/** Draws parameters by the schema; leaves out those for which no value fits. */
function paramsOf(def: CommandDef, draws: readonly number[]): Record<string, unknown> {
  const { properties, required = [] } = def.params as unknown as {
    properties: Record<string, Field>
    required?: readonly string[]
  }
  const params: Record<string, unknown> = {}
  Object.entries(properties).forEach(([name, field], i) => {
    const draw = draws[i % draws.length]
    if (draw % 3 === 0 && !required.includes(name)) return
    const value = drawValue(field, Math.floor(draw / 3))
    if (value !== undefined) params[name] = value
  })
  return params
}

const newWorld = (): Promise<SmallWorld> => smallWorld({ seed: 5, players: 3 })

const commandsOf = (small: SmallWorld): CommandDef[] =>
  [...small.registry.commands.values()].filter(
    (def) => def.kind !== 'session' && !def.name.startsWith('internal:'),
  )

const WALL_MS = 1_900_000_000_000

/** Runs a tick with these mutations and returns their answers; the archive accepts everything. */
function tick(small: SmallWorld, inputs: readonly JournalInput[]): readonly Answer[] {
  const { world, engine } = small
  const run = runTick(engine, inputs, WALL_MS + world.tick * world.tickMs)
  const written = { ok: true, result: { thread_id: '1', reply_id: '1' } } as const
  const archived = Object.fromEntries(run.archived.map(({ input }) => [input.ref, written]))
  return finishBatch(engine, run, { ...rowOfBatch(world, run, 0), archived }).answers
}

let lastRef = 0
const inputFor = (
  small: SmallWorld,
  player: Eid,
  command: string,
  params: Record<string, unknown>,
): JournalInput => ({
  ref: ++lastRef,
  player: playerNumber(small.world, player),
  command,
  params,
  framing: 'ws2',
})

/** Returns whether the world would accept the input now. */
const isAccepted = (small: SmallWorld, input: JournalInput): boolean =>
  receive(small.world, small.registry, createInbox(), input)?.stage === 'accepted'

/** Runs the command in a batch of its own; the twin gets it too unless it was refused. */
function play(
  small: SmallWorld,
  twin: SmallWorld,
  { def, player, params }: { def: CommandDef; player: Eid; params: Record<string, unknown> },
): boolean {
  const command = commandKey(def)
  if (!isMutation(def)) {
    const { ok } = small.ask(player, command, params)
    if (ok && def.kind !== 'query') twin.ask(player, command, params)
    return ok
  }
  const input = inputFor(small, player, command, params)
  if (!isAccepted(small, input)) return false
  const answer = tick(small, [input]).find(({ ref }) => ref === input.ref)
  // An automatic dock or undock before a refusal remains in effect.
  const isRefused = answer !== undefined && !answer.outcome.ok
  const hasEffect = answer?.autoDocked || answer?.autoUndocked
  tick(twin, isRefused && !hasEffect ? [] : [input])
  return !isRefused
}

const drawn = fc.array(
  fc.record<Draw>({
    player: fc.nat(2),
    command: fc.nat(),
    values: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
  }),
  { minLength: 60, maxLength: 60 },
)

test('a refused command changes nothing, an accepted one changes both twins alike', async () => {
  const [small, twin] = [await newWorld(), await newWorld()]
  const commands = commandsOf(small)
  const refused = new Set<string>()
  fc.assert(
    fc.property(drawn, (draws) => {
      for (const draw of draws) {
        const def = commands[draw.command % commands.length]
        const player = small.players[draw.player]
        const params = paramsOf(def, draw.values)
        if (!play(small, twin, { def, player, params })) refused.add(def.name)
        expect(small.hash(), def.name).toBe(twin.hash())
      }
    }),
    // With 6 runs the third required below is sometimes missed by one command.
    { numRuns: 8, endOnFailure: true },
  )
  expect(refused.size).toBeGreaterThan(commands.length / 3)
})

/** Columns of lists of ships whose order does not matter. */
const UNORDERED = new Set(['firstShip', 'firstTraveller', 'nextHere', 'previousHere'])

/** Expects derived columns of the live world to equal those that the loaded world has rebuilt. */
function expectSameDerived(live: SmallWorld, loaded: SmallWorld): void {
  for (const [table, store] of live.world.stores) {
    const loadedStore = loaded.world.stores.get(table)
    for (const [name, def] of columnsOf(store.def)) {
      if (!def.derived || UNORDERED.has(name)) continue
      const used = (store.high + 1) * def.width
      const actual = loadedStore?.columns[name].subarray(0, used)
      expect(actual, `${table}.${name}`).toEqual(store.columns[name].subarray(0, used))
    }
  }
  const { audiences } = live.registry
  for (const [kind, resolve] of audiences) {
    const table = live.world.stores.get(kind)
    for (let row = 1; row <= (table?.high ?? 0); row++) {
      expect(resolve(loaded.world, row), `${kind} ${row}`).toEqual(resolve(live.world, row))
    }
  }
}

test('a world reloaded at any tick continues the same, derived columns included', async () => {
  const live = await newWorld()
  const commands = commandsOf(live).filter(({ kind }) => kind === 'mutation')
  const ticks = 25
  const [draws] = fc.sample(
    fc.array(fc.array(fc.nat(), { minLength: 9, maxLength: 9 }), {
      minLength: 3 * ticks,
      maxLength: 3 * ticks,
    }),
    { seed: 11, numRuns: 1 },
  )
  for (let round = 0; round < ticks; round++) {
    const loaded = await live.reload()
    expectSameDerived(live, loaded)
    const inputs = live.players.map((player, i) => {
      const [choice, ...values] = draws[round * 3 + i]
      const def = commands[choice % commands.length]
      return inputFor(live, player, commandKey(def), paramsOf(def, values))
    })
    const accepted = inputs.filter((input) => isAccepted(live, input))
    tick(live, accepted)
    tick(loaded, accepted)
    const hash = stateHash(live.world)
    forgetHashes(live.world)
    expect(stateHash(live.world), 'the hash by table').toBe(hash)
    expect(stateHash(loaded.world), `after ${accepted.map(({ command }) => command)}`).toBe(hash)
  }
})
