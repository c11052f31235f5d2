/**
 * Players who send queries while a tick is computed: after a step, some of them send queries of all
 * kinds, with parameters from earlier answers. No query may fail or change the result of the tick.
 */
import { serialize } from 'node:v8'
import { commandKey } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'
import { createInbox, readsOnly, receive } from '../../core/inbox.ts'
import type { Answer } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { IndexKey, Submission, World } from '../../core/types.ts'
import { packQuery } from '../../core/wire/packed.ts'
import { describeWith } from '../../net/publish/frames.ts'
import { createValidators, validate } from '../../net/validate.ts'
import { Player } from '../../systems/account/state.ts'
import { BASE_IDS } from '../../systems/base/state.ts'
import { BOARDS, JUMPS, MINED_IN, SOURCES } from '../../systems/mission/state.ts'
import { RUNNING } from '../../systems/season/state.ts'
import { LISTED_PLACES, LOOKS } from '../../systems/travel/nearby-state.ts'
import {
  PLACE_NAMES,
  POI_IDS,
  SORTED,
  SYSTEM_IDS,
  SYSTEM_NAMES,
  TREES,
} from '../../systems/travel/state.ts'
import { createKnowledge, type Knowledge } from './knowledge.ts'
import type { Payload } from './requests.ts'

export interface Onlookers {
  /** Sends some queries; to be called between two steps. */
  look(): void
  /** Commands that were answered without a refusal. */
  readonly answered: ReadonlySet<string>
  /** Descriptions of broken promises. */
  readonly failures: readonly string[]
  /** Names of caches that queries filled. */
  readonly filled: ReadonlySet<string>
}

/** Number of queries in a look. */
const QUERIES_A_LOOK = 3
/** Every so many looks, indexes and scratch memory are compared before and after each query. */
const COMPARE_EVERY = 11

/** Caches that queries fill for later ones; `checkFresh` checks that they are never stale. */
const CACHES: readonly IndexKey<unknown>[] = [
  LOOKS,
  LISTED_PLACES,
  SORTED,
  TREES,
  RUNNING,
  BOARDS,
  JUMPS,
  MINED_IN,
  SOURCES,
  BASE_IDS,
  POI_IDS,
  SYSTEM_IDS,
  PLACE_NAMES,
  SYSTEM_NAMES,
]
/** Number of values of a scratch column that are compared: rows are filled from the start. */
const SCRATCH_VALUES = 16
/** Index of ids made so far; it may grow, since an id depends only on kind and number. */
const WIRE_IDS = 'wire ids'

function emptyCaches(world: World): void {
  for (const key of CACHES) {
    const kept = world.index(key)
    if (kept instanceof Map) kept.clear()
    else Object.assign(kept as object, key.make())
  }
}

const contentOf = (index: unknown): string => serialize(index).toString('latin1')

/** Watches the indexes that are read; the result returns the names of those that changed. */
function watchIndexes(world: World): () => string[] {
  const { index } = world
  const before = new Map<string, { readonly kept: unknown; readonly content: string }>()
  world.index = <T>(key: IndexKey<T>): T => {
    const kept = index(key)
    if (!before.has(key.name)) before.set(key.name, { kept, content: contentOf(kept) })
    return kept
  }
  return () => {
    world.index = index
    return [...before].flatMap(([name, { kept, content }]) =>
      contentOf(kept) === content ? [] : [name],
    )
  }
}

/** Returns the memory of scratch tables, where the current tick keeps its requests. */
const scratchOf = ({ stores }: World): string =>
  [...stores.values()]
    .filter(({ def }) => Object.values(def.columns).every(({ derived }) => derived))
    .flatMap(({ columns }) => Object.values(columns))
    .map((column) => column.subarray(0, SCRATCH_VALUES))
    .join()

export function createOnlookers(world: World, registry: Registry, dice: Dice): Onlookers {
  const describe = describeWith(registry)
  const inbox = createInbox()
  const validators = createValidators()
  const queries = [...registry.commands.values()].filter(
    (def) => def.category !== 'internal' && def.kind !== 'session' && !def.betweenTicks,
  )
  const known = new Map<number, Knowledge>()
  const answered = new Set<string>()
  const filled = new Set<string>()
  const cacheNames = new Set([WIRE_IDS, ...CACHES.map(({ name }) => name)])
  const failures: string[] = []
  let looks = 0

  const pickPlayer = (): number => {
    const row = 1 + dice.below(Math.max(1, world.highOf(Player)))
    const { alive, seq } = world.read(Player)
    return alive[row] === 1 ? seq[row] : 0
  }
  const recordAnswer = (player: number, { command, outcome }: Answer): void => {
    if (outcome.ok) {
      answered.add(command)
      known.get(player)?.learn(outcome.result as Payload)
    } else if (outcome.code === 'internal_error') failures.push(`${command}: ${outcome.message}`)
  }
  /** Checks that the same query gets the same answer when all caches are empty. */
  const checkFresh = (submission: Submission, { outcome }: Answer): void => {
    emptyCaches(world)
    const uncached = receive(world, registry, inbox, submission)
    if (JSON.stringify(uncached?.outcome) !== JSON.stringify(outcome))
      failures.push(`${submission.command} is answered from a stale cache`)
  }
  const ask = (player: number, isChecked: boolean): void => {
    const def = dice.pick(queries)
    let knowledge = known.get(player)
    if (!knowledge) {
      knowledge = createKnowledge()
      known.set(player, knowledge)
    }
    const checked = validate(validators, def, { ...knowledge.params(def, dice) }, false)
    if (!checked.ok) return
    const submission: Submission = {
      ref: 1,
      player,
      command: commandKey(def),
      params: checked.params,
      framing: dice.chance(50) ? 'ws1' : 'ws2',
    }
    if (!readsOnly(def, submission)) return
    const changed = isChecked ? watchIndexes(world) : undefined
    const scratch = isChecked ? scratchOf(world) : ''
    const answer = receive(world, registry, inbox, submission)
    for (const name of changed?.() ?? []) {
      filled.add(name)
      if (!cacheNames.has(name)) failures.push(`${def.name} changes the index ${name}`)
    }
    if (isChecked && scratchOf(world) !== scratch) failures.push(`${def.name} writes scratch rows`)
    if (isChecked && answer) checkFresh(submission, answer)
    // Changes that follow from reading would run in a batch of their own.
    inbox.immediates.length = 0
    if (!answer) return
    recordAnswer(player, answer)
    const { outcome } = packQuery(answer, describe)
    if (!outcome.ok && answer.outcome.ok) failures.push(`${def.name}: ${outcome.message}`)
  }
  return {
    look() {
      looks++
      for (let i = 0; i < QUERIES_A_LOOK; i++) {
        const player = pickPlayer()
        if (player !== 0) ask(player, looks % COMPARE_EVERY === 0)
      }
    },
    answered,
    failures,
    filled,
  }
}
