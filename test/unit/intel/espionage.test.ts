/** Espionage at a base: its duration, its cooldown, its outcomes and the facts it overhears. */
import { beforeEach, expect, test } from 'vitest'
import type { Outcome } from '../../../core/errors.ts'
import { pendingOf, resumePending, suspendPending } from '../../../core/pending.ts'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { empireOfBase } from '../../../systems/base/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { factionFacilities } from '../../../systems/facility/model.ts'
import { DAMAGED } from '../../../systems/facility/state.ts'
import { addMember, removeMember } from '../../../systems/faction/member-rules.ts'
import { factsAt } from '../../../systems/intel/model.ts'
import { recordFact } from '../../../systems/intel/rules.ts'
import {
  ESPIONAGE_COOLDOWN_TICKS,
  ESPIONAGE_TICKS,
  FACT_TICKS,
  FACTS,
  FACTS_PER_BASE_MAX,
  Spy,
} from '../../../systems/intel/state.ts'
import { addBounty, settleDebts } from '../../../systems/law/rules.ts'
import { placeInSpace } from '../../../systems/travel/rules.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import { dockAt } from '../faction/scene.ts'
import { setCredits } from '../law/scene.ts'
import { act, type Bureau, bureau, refusesMove } from './scene.ts'

onSmallMap()

let scene: Bureau
beforeEach(async () => {
  scene = await bureau({ faction_espionage: 1 })
})

interface Heard {
  readonly action: string
  readonly outcome: string
  readonly story: string
  readonly intel_type?: string
}

/** Lets all these players listen at once; returns what each of them hears. */
function listen(players: readonly Eid[]): Heard[] {
  const { small } = scene
  small.tick(...players.map((player) => ({ player, command: 'espionage' })))
  let answers = new Map<Eid, Outcome<unknown>>()
  for (let i = 0; i < ESPIONAGE_TICKS; i++) {
    expect(answers.size).toBe(0)
    answers = small.tick()
  }
  return players.map((player) => {
    const outcome = answers.get(player)
    expect(outcome).toMatchObject({ ok: true })
    return (outcome as { result: Heard }).result
  })
}

/** Adds this many members, docked at the base. */
function members(count: number): Eid[] {
  const { small, faction, base } = scene
  return Array.from({ length: count }, (_, index) => {
    const player = small.join(`Listener ${index + 1}`)
    addMember(small.world, player, faction)
    dockAt(small.world, player, base)
    return player
  })
}

const recordPurchase = (player: Eid, what = '900 Iron Ore', credits = 12_345): void =>
  recordFact(scene.small.world, { base: scene.base, kind: 'purchase', player, what, credits })

test('espionage takes eight ticks, during which no other order is accepted', () => {
  const { small, leader, base } = scene
  const { world } = small
  expect(small.tick({ player: leader, command: 'espionage' }).size).toBe(0)
  expect(world.read(Spy).dueTick[leader]).toBe(world.tick + ESPIONAGE_TICKS)
  const pending = { code: 'action_pending', details: { pending_command: 'espionage' } }
  expect(small.act(leader, 'undock')).toMatchObject(pending)
  small.ticks(ESPIONAGE_TICKS - 1)
  expect(small.act(leader, 'espionage')).toMatchObject(pending)
  const heard = small.tick().get(leader)
  expect(heard).toMatchObject({ ok: true, result: { action: 'espionage' } })
  expect(world.read(Spy).dueTick[leader]).toBe(0)
  expect(small.act(leader, 'undock')).toMatchObject({ ok: true })
  expect(world.read(Base).alive[base]).toBe(1)
})

test('espionage is answered also to a listener whom a battle has interrupted meanwhile', () => {
  const { small, leader } = scene
  const { world } = small
  small.tick({ player: leader, command: 'espionage' })
  suspendPending(world, leader)
  const answers = Array.from({ length: ESPIONAGE_TICKS }, () => [...small.tick().values()]).flat()
  expect(answers).toMatchObject([{ ok: true, result: { action: 'espionage' } }])
  resumePending(world, leader)
  expect(pendingOf(world, leader)).toBeUndefined()
})

test('espionage has three outcomes, and its stories never name an anonymous player', () => {
  const { small, stranger } = scene
  recordPurchase(stranger)
  small.world.write(Player).anonymous[stranger] = 1
  recordFact(small.world, {
    base: scene.base,
    kind: 'ship_order',
    player: stranger,
    what: 'Footnote',
    credits: 5,
  })
  const heard = listen(members(24))
  const withOutcome = (outcome: string) => heard.filter((result) => result.outcome === outcome)
  const [successes, failures, detections] = ['success', 'nothing', 'spotted'].map(withOutcome)
  expect(successes.length).toBeGreaterThan(5)
  expect(failures.length).toBeGreaterThan(2)
  expect(detections.length).toBeGreaterThan(0)
  expect(successes.length + failures.length + detections.length).toBe(24)
  for (const { story, intel_type } of successes) {
    if (intel_type === 'purchase') expect(story).toMatch(/12345.*|Stranger \[HUSH\]/)
    else expect(intel_type).toBe('ship_order')
    expect(story.includes('Stranger')).toBe(intel_type === 'purchase')
    expect(story).not.toMatch(/[{}]|undefined/)
  }
  const kinds = new Set(successes.map(({ intel_type }) => intel_type))
  expect(kinds).toEqual(new Set(['purchase', 'ship_order']))
  for (const { story, intel_type } of [...failures, ...detections]) {
    expect(intel_type).toBeUndefined()
    expect(story.length).toBeGreaterThan(10)
  }
})

test('facts about the faction itself and facts a day old are not overheard', () => {
  const { small, leader, recruit, stranger } = scene
  recordPurchase(leader)
  recordPurchase(recruit)
  recordPurchase(stranger, 'something of yesterday', 99_999)
  const key = String(small.world.read(Base).seq[scene.base])
  const [fresh, ...rest] = small.world.records(FACTS).get(key) ?? []
  small.world.records(FACTS).set(key, [...rest, { ...fresh, tick: fresh.tick - FACT_TICKS }])
  expect(factsAt(small.world, scene.base)).toHaveLength(2)
  const heard = listen(members(12))
  expect(heard.filter(({ outcome }) => outcome === 'success')).toEqual([])
})

test('espionage needs a faction, a working facility, freedom and an ended cooldown', async () => {
  const { small, leader, recruit, stranger, base } = scene
  const { world } = small
  const request = ['espionage', {}] as const
  refusesMove(small, small.join('Nobody'), request, 'not_in_faction')
  dockAt(world, stranger, base)
  refusesMove(small, stranger, request, 'no_espionage_hq')
  world.write(Spy).freeTick[leader] = world.tick + 3
  const wait = { code: 'espionage_cooldown', details: { ticks: 3, wait_seconds: 30 } }
  refusesMove(small, leader, request, wait)
  setCredits(world, recruit, 0)
  addBounty(world, recruit, empireOfBase(world, base), 9_000)
  settleDebts(world, recruit, base)
  refusesMove(small, recruit, request, 'detained')
  changeState(world, factionFacilities(world, scene.faction)[0], { status: DAMAGED })
  world.write(Spy).freeTick[leader] = 0
  refusesMove(small, leader, request, 'no_espionage_hq')
})

test('espionage may be ordered again thirty ticks after it began', () => {
  const { small, leader } = scene
  const { world } = small
  const begun = world.tick + 1
  act(small, leader, 'espionage')
  expect(world.read(Spy).freeTick[leader]).toBe(begun + ESPIONAGE_COOLDOWN_TICKS)
  world.write(Spy).freeTick[leader] = world.tick + 1
  expect(small.tick({ player: leader, command: 'espionage' }).size).toBe(0)
})

test('members who leave, or whose facility stops working, overhear nothing', () => {
  const { small, faction } = scene
  const { world } = small
  recordPurchase(scene.stranger)
  const [left, kicked, moved] = members(3)
  small.tick(...[left, kicked, moved].map((player) => ({ player, command: 'espionage' })))
  removeMember(world, kicked)
  placeInSpace(world, world.read(Player).ship[moved], world.read(Base).poi[scene.base])
  small.ticks(ESPIONAGE_TICKS - 1)
  changeState(world, factionFacilities(world, faction)[0], { status: DAMAGED })
  const answers = small.tick()
  for (const player of [left, kicked, moved]) {
    expect(answers.get(player)).toMatchObject({ ok: true, result: { outcome: 'nothing' } })
  }
})

test('a restart in the middle of espionage does not change its outcome', async () => {
  const { small, leader, stranger } = scene
  recordPurchase(stranger)
  small.tick({ player: leader, command: 'espionage' })
  const restored = await small.reload()
  const finish = (instance: SmallWorld) => {
    let answers = instance.tick()
    for (let i = 1; i < ESPIONAGE_TICKS; i++) answers = instance.tick()
    return [...answers.values()]
  }
  expect(finish(restored)).toEqual(finish(small))
  expect(restored.hash()).toBe(small.hash())
})

test('a base keeps a limited number of facts, and none about small purchases', () => {
  const { small, stranger, base } = scene
  recordPurchase(stranger, 'a trifle', 9_999)
  expect(factsAt(small.world, base)).toEqual([])
  for (let i = 0; i < FACTS_PER_BASE_MAX + 5; i++) recordPurchase(stranger, `lot ${i}`)
  const facts = factsAt(small.world, base)
  expect(facts).toHaveLength(FACTS_PER_BASE_MAX)
  expect(facts[0]).toMatchObject({ what: `lot ${FACTS_PER_BASE_MAX + 4}`, credits: 12_345 })
})
