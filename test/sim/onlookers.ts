/**
 * Players who ask while a tick is computed: after a step some of them send queries of every kind,
 * with parameters made of what they were answered before. None of it may fail, and none of it may
 * change what the tick comes to.
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
import { LOOKS } from '../../systems/travel/nearby-state.ts'
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
  /** To be called between two steps. */
  look(): void
  readonly asked: ReadonlyMap<string, number>
  /** Commands that were answered with more than a refusal. */
  readonly answered: ReadonlySet<string>
  /** What broke. */
  readonly failures: readonly string[]
  /** Caches that queries filled. */
  readonly filled: ReadonlySet<string>
}

/** Queries after a step. */
const QUERIES_A_LOOK = 3
/** One look of this many compares indexes and scratch memory before and after it. */
const COMPARED_OF = 11

/** What queries keep for later ones. Each must hold whenever it is read: see `checkFresh`. */
const CACHES: readonly IndexKey<unknown>[] = [
  LOOKS,
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
/** Values of a scratch column that are compared: rows are filled from the first on. */
const SCRATCH = 16
/** Ids made already: a function of kind and number alone. */
const WIRE_IDS = 'wire ids'

function emptyCaches(world: World): void {
  for (const key of CACHES) {
    const kept = world.index(key)
    if (kept instanceof Map) kept.clear()
    else Object.assign(kept as object, key.make())
  }
}

const contentOf = (index: unknown): string => serialize(index).toString('latin1')

/** Records which indexes are asked for; returns the names of those that changed meanwhile. */
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

/** Returns the memory of scratch tables: requests of the tick under way stand there. */
const scratchOf = ({ stores }: World): string =>
  [...stores.values()]
    .filter(({ def }) => Object.values(def.columns).every(({ derived }) => derived))
    .flatMap(({ columns }) => Object.values(columns).map((column) => column.subarray(0, SCRATCH)))
    .join()

export function createOnlookers(world: World, registry: Registry, dice: Dice): Onlookers {
  const describe = describeWith(registry)
  const inbox = createInbox()
  const validators = createValidators()
  const queries = [...registry.commands.values()].filter(
    (def) => def.category !== 'internal' && def.kind !== 'session' && !def.betweenTicks,
  )
  const known = new Map<number, Knowledge>()
  const asked = new Map<string, number>()
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
  const take = (player: number, { command, outcome }: Answer): void => {
    asked.set(command, (asked.get(command) ?? 0) + 1)
    if (outcome.ok) {
      answered.add(command)
      known.get(player)?.learn(outcome.result as Payload)
    } else if (outcome.code === 'internal_error') failures.push(`${command}: ${outcome.message}`)
  }
  /** Checks that the same query without any cache is answered alike. */
  const checkFresh = (submission: Submission, { outcome }: Answer): void => {
    emptyCaches(world)
    const again = receive(world, registry, inbox, submission)
    if (JSON.stringify(again?.outcome) !== JSON.stringify(outcome))
      failures.push(`${submission.command} is answered from a cache that no longer holds`)
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
    // What being read changes joins a batch of its own.
    inbox.immediates.length = 0
    if (!answer) return
    take(player, answer)
    const { outcome } = packQuery(answer, describe)
    if (!outcome.ok && answer.outcome.ok) failures.push(`${def.name}: ${outcome.message}`)
  }
  return {
    look() {
      looks++
      for (let i = 0; i < QUERIES_A_LOOK; i++) {
        const player = pickPlayer()
        if (player !== 0) ask(player, looks % COMPARED_OF === 0)
      }
    },
    asked,
    answered,
    failures,
    filled,
  }
}
