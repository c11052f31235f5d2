/** Challenges between players and their matches. Source: combat.md section 14. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { sideOf } from '../../../systems/arena/duels-commands.ts'
import {
  DUELS,
  MATCHES,
  MATCHES_PER_ARENA_MAX,
  REBUFFS,
  SAVED_SHIPS,
} from '../../../systems/arena/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { inBattle } from '../../../systems/combat/model.ts'
import { FATES, Participant } from '../../../systems/combat/state.ts'
import { addBounty, collectBounty } from '../../../systems/law/rules.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { cargoUnits, loadCargo, shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { playersAt, poiId, poisOf } from '../../../systems/travel/model.ts'
import { placeInSpace, startFlight } from '../../../systems/travel/rules.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { onSmallMap, type SmallWorld } from '../../small-world.ts'
import {
  arena,
  arenaWorld,
  dare,
  empireArena,
  hullOf,
  matchOf,
  pilotAt,
  rowOf,
  takePayloads,
} from './scene.ts'

onSmallMap()

let small: SmallWorld
let world: World
let poi: Eid
let ada: Eid
let bob: Eid
beforeAll(async () => {
  small = await arenaWorld()
  world = small.world
  poi = empireArena(world)
})
beforeEach(() => {
  ada = pilotAt(small, poi)
  bob = pilotAt(small, poi)
  small.takeEmissions()
})

/** Begins a match between the two players. */
function begin(): void {
  const challenge_id = dare(small, ada, bob)
  expect(arena(small, bob, 'accept', { challenge_id }).ok).toBe(true)
}

/** Fights until nobody is in the match any more. */
function fightOut(): void {
  for (let i = 0; i < 400 && matchOf(world, ada) !== 0; i++) small.ticks(1)
  expect(matchOf(world, ada)).toBe(0)
}

const code = (outcome: { ok: boolean; code?: string }) => (outcome.ok ? 'ok' : outcome.code)

describe('a challenge between players', () => {
  test('is sent to the challenged player and pending until it is answered', () => {
    const id = dare(small, ada, bob, 3)
    const [notice] = takePayloads(small, bob, 'arena_challenge')
    expect(notice).toMatchObject({
      event: 'received',
      challenge_id: id,
      challenger_id: playerId(world, ada),
      challenged_id: playerId(world, bob),
      max_side_size: 3,
      expires_tick: world.tick + 30,
    })
    expect(small.ask(bob, 'v2:game_arena/status')).toMatchObject({
      result: { in_match: false, at_arena: true, incoming: [{ challenge_id: id }], outgoing: [] },
    })
    expect(arena(small, ada, 'cancel', { challenge_id: id }).ok).toBe(true)
  })

  test('that is accepted begins a match, and the challenger is notified', () => {
    const challenge_id = dare(small, ada, bob)
    small.takeEmissions()
    expect(arena(small, bob, 'accept', { challenge_id })).toMatchObject({
      ok: true,
      result: { action: 'accept', battle_id: expect.any(String) },
    })
    const [notice] = takePayloads(small, ada, 'arena_challenge')
    expect(notice).toMatchObject({ event: 'accepted', battle_id: expect.any(String) })
    expect(matchOf(world, ada)).toBe(matchOf(world, bob))
    expect(matchOf(world, ada)).not.toBe(0)
    fightOut()
  })

  test('that is declined is reported to the challenger', () => {
    const challenge_id = dare(small, ada, bob)
    expect(arena(small, bob, 'decline', { challenge_id }).ok).toBe(true)
    expect(takePayloads(small, ada, 'arena_challenge')[0]).toMatchObject({ event: 'declined' })
    expect(world.records(DUELS).size).toBe(0)
  })

  test('that is declined goes unrecorded if there is no room to record it', () => {
    const rebuffs = world.records(REBUFFS)
    const free = REBUFFS.rowsMax - rebuffs.size
    const strangers = Array.from({ length: free }, (_, index) => `0:${index}`)
    for (const pair of strangers) rebuffs.set(pair, [world.tick])
    const challenge_id = dare(small, ada, bob)
    expect(arena(small, bob, 'decline', { challenge_id }).ok).toBe(true)
    expect(rebuffs.size).toBe(REBUFFS.rowsMax)
    for (const pair of strangers) rebuffs.delete(pair)
  })

  test('that is cancelled is reported to the challenged', () => {
    const challenge_id = dare(small, ada, bob)
    small.takeEmissions()
    expect(arena(small, ada, 'cancel', { challenge_id }).ok).toBe(true)
    expect(takePayloads(small, bob, 'arena_challenge')[0]).toMatchObject({ event: 'cancelled' })
  })

  test('expires after 30 ticks, and the challenger is notified', () => {
    dare(small, ada, bob)
    small.takeEmissions()
    small.ticks(29)
    expect(world.records(DUELS).size).toBe(1)
    small.ticks(1)
    expect(world.records(DUELS).size).toBe(0)
    expect(takePayloads(small, ada, 'arena_challenge')[0]).toMatchObject({ event: 'expired' })
  })

  test('is refused limit_reached beyond one sent or five received', () => {
    const rivals = Array.from({ length: 5 }, () => pilotAt(small, poi))
    const ids = rivals.map((rival) => dare(small, rival, bob))
    const target = { player_id: playerId(world, bob) }
    expect(code(arena(small, ada, 'challenge', target))).toBe('limit_reached')
    expect(code(arena(small, rivals[0], 'challenge', { player_id: playerId(world, ada) }))).toBe(
      'limit_reached',
    )
    for (const [i, challenge_id] of ids.entries()) {
      expect(arena(small, rivals[i], 'cancel', { challenge_id }).ok).toBe(true)
    }
  })

  test('is refused rate_limited after three that were declined', () => {
    for (let i = 0; i < 3; i++) {
      const challenge_id = dare(small, ada, bob)
      expect(arena(small, bob, 'decline', { challenge_id }).ok).toBe(true)
    }
    const target = { player_id: playerId(world, bob) }
    expect(code(arena(small, ada, 'challenge', target))).toBe('rate_limited')
    expect(arena(small, bob, 'challenge', { player_id: playerId(world, ada) }).ok).toBe(true)
    const [pair] = [...world.records(REBUFFS).entries()].at(-1) ?? ['']
    world.records(REBUFFS).delete(pair)
    small.ticks(30)
  })

  test('is refused invalid_target for an absent player, oneself or nobody', () => {
    const absentee = small.join(`Away ${small.players.length}`)
    for (const player_id of [playerId(world, absentee), playerId(world, ada), 'nobody']) {
      expect(code(arena(small, ada, 'challenge', { player_id }))).toBe('invalid_target')
    }
  })

  test('is refused not_at_arena away from the arena', () => {
    const absentee = pilotAt(small, poisOf(world, world.read(Poi).system[poi])[0])
    const player_id = playerId(world, ada)
    expect(code(arena(small, absentee, 'challenge', { player_id }))).toBe('not_at_arena')
    const challenge_id = dare(small, ada, bob)
    placeInSpace(world, hullOf(world, bob), poisOf(world, world.read(Poi).system[poi])[0])
    expect(code(arena(small, bob, 'accept', { challenge_id }))).toBe('not_at_arena')
    expect(arena(small, ada, 'cancel', { challenge_id }).ok).toBe(true)
  })

  test('is refused detained to a prisoner', () => {
    const prisoner = small.join(`Prisoner ${small.players.length}`)
    addBounty(world, prisoner, 0, 1_000_000)
    expect(collectBounty(world, prisoner, 0)).toBe('detained')
    const player_id = playerId(world, ada)
    expect(code(arena(small, prisoner, 'challenge', { player_id }))).toBe('detained')
  })

  test('is challenge_not_found if it is unknown or the answer is for the other player', () => {
    const challenge_id = dare(small, ada, bob)
    for (const action of ['accept', 'decline']) {
      expect(code(arena(small, ada, action, { challenge_id }))).toBe('challenge_not_found')
    }
    expect(code(arena(small, bob, 'cancel', { challenge_id }))).toBe('challenge_not_found')
    expect(code(arena(small, bob, 'accept', { challenge_id: 'x' }))).toBe('challenge_not_found')
    expect(arena(small, ada, 'cancel', { challenge_id }).ok).toBe(true)
  })

  test('cannot be accepted after the challenger has left: invalid_target', () => {
    const challenge_id = dare(small, ada, bob)
    startFlight(world, hullOf(world, ada), poisOf(world, world.read(Poi).system[poi])[0], 3)
    expect(code(arena(small, bob, 'accept', { challenge_id }))).toBe('invalid_target')
    small.ticks(3)
    expect(arena(small, ada, 'cancel', { challenge_id }).ok).toBe(true)
  })

  test('is refused in_transit during travel', () => {
    startFlight(world, hullOf(world, ada), poisOf(world, world.read(Poi).system[poi])[0], 9)
    const player_id = playerId(world, bob)
    expect(code(arena(small, ada, 'challenge', { player_id }))).toBe('in_transit')
    small.ticks(9)
  })

  test('is refused in_combat to a player in a battle', () => {
    const [fighter, foe] = [pilotAt(small, poi), pilotAt(small, poi)]
    expect(aggress(world, hullOf(world, fighter), hullOf(world, foe)).ok).toBe(true)
    expect(code(arena(small, fighter, 'challenge', { player_id: playerId(world, ada) }))).toBe(
      'in_combat',
    )
    for (const player of [fighter, foe]) {
      world.write(Participant).fate[rowOf(world, player)] = FATES.indexOf('fled')
    }
    small.ticks(1)
  })

  test('puts only the pilot on a side without a fleet', () => {
    for (const size of [1, 5]) expect(sideOf(world, ada, size)).toEqual([hullOf(world, ada)])
  })

  test('is refused limit_reached while the arena is full of matches', () => {
    const challenge_id = dare(small, ada, bob)
    const number = world.read(Poi).seq[poi]
    const match = { poi: number, challenge: '', players: [], waves: 0, escaped: false }
    for (let i = 0; i < MATCHES_PER_ARENA_MAX; i++) {
      world.records(MATCHES).set(`test ${i}`, { ...match, startTick: world.tick })
    }
    const answers = small.registry.commands.get('arena')
    const outcome = (answers as { run(...args: unknown[]): { code?: string } }).run(world, bob, {
      action: 'accept',
      challenge_id,
    })
    expect(outcome.code).toBe('limit_reached')
    for (let i = 0; i < MATCHES_PER_ARENA_MAX; i++) world.records(MATCHES).delete(`test ${i}`)
    expect(arena(small, ada, 'cancel', { challenge_id }).ok).toBe(true)
  })
})

describe('a match between players', () => {
  test('ends with a knock-out, both ships restored and no wreck', () => {
    begin()
    const hulls = [hullOf(world, ada), hullOf(world, bob)]
    world.write(Ship).hull[hulls[1]] = 1
    world.write(Ship).shield[hulls[1]] = 0
    small.takeEmissions()
    fightOut()
    const emissions = small.takeEmissions()
    const left = emissions.filter(({ type }) => type === 'battle_left')
    expect(left.map(({ payload }) => (payload as { reason: string }).reason)).toContain(
      'knocked_out',
    )
    for (const type of ['player_died', 'player_kill', 'arena_objective']) {
      expect(emissions.some((emission) => emission.type === type)).toBe(false)
    }
    expect([hullOf(world, ada), hullOf(world, bob)]).toEqual(hulls)
    const { hull, hullMax } = world.read(Ship)
    for (const ship of hulls) expect(hull[ship]).toBe(hullMax[ship])
    expect(wrecksAt(world, poi)).toEqual([])
    expect([world.records(SAVED_SHIPS).size, world.records(MATCHES).size]).toEqual([0, 0])
  })

  test('is hidden from everybody outside', () => {
    const watcher = pilotAt(small, poi)
    begin()
    expect(playersAt(world, poi)).not.toContain(ada)
    const nearby = small.ask(watcher, 'get_nearby') as { result: { nearby: object[] } }
    expect(JSON.stringify(nearby.result.nearby)).not.toContain(playerId(world, ada))
    for (const target_id of [playerId(world, ada), shipId(world, hullOf(world, ada))]) {
      expect(code(small.act(watcher, 'attack', { target_id }))).toBe('invalid_target')
    }
    expect(inBattle(world, watcher)).toBe(false)
    fightOut()
    expect(playersAt(world, poi)).toContain(ada)
  })

  test('allows attack and battle orders and refuses other commands with in_combat', () => {
    begin()
    expect(code(small.act(ada, 'jettison', { items: [] }))).not.toBe('ok')
    for (const [command, params] of [
      ['travel', { target_poi: 'x' }],
      ['jettison', { item_id: 'iron_ore', quantity: 1 }],
      ['self_destruct', {}],
    ] as const) {
      expect(code(small.act(ada, command, params))).toBe('in_combat')
    }
    expect(small.act(ada, 'attack', { target_id: playerId(world, bob) }).ok).toBe(true)
    expect(small.ask(ada, 'battle', { action: 'advance' }).ok).toBe(true)
    fightOut()
  })

  test('drops commands that a pilot gave before it began: in_combat', () => {
    const iron = itemIndex('iron_ore')
    const elsewhere = poisOf(world, world.read(Poi).system[poi]).find((place) => place !== poi)
    for (const [command, params] of [
      ['jettison', { item_id: 'iron_ore', quantity: 5 }],
      ['travel', { target_poi: poiId(world, elsewhere ?? 0) }],
    ] as const) {
      for (let i = 0; i < 3; i++) {
        const [challenger, challenged] = [pilotAt(small, poi), pilotAt(small, poi)]
        loadCargo(world, hullOf(world, challenger), namedContainer('supply'), iron, 5)
        const challenge_id = dare(small, challenger, challenged)
        const answers = small.tick(
          { player: challenger, command, params },
          { player: challenged, command: 'arena', params: { action: 'accept', challenge_id } },
        )
        // The order in which the two act is drawn anew in every tick.
        expect(answers.get(challenged)).toMatchObject({ ok: true })
        const mine = answers.get(challenger)
        if (command === 'travel' || !mine?.ok) expect(mine).toMatchObject({ code: 'in_combat' })
        world.write(Participant).speed[rowOf(world, challenger)] = 8
        for (let left = 60; left > 0 && matchOf(world, challenger) !== 0; left--) {
          small.ask(challenger, 'battle', { action: 'stance', stance: 'flee' })
          small.ask(challenged, 'battle', { action: 'retreat' })
          small.ticks(1)
        }
        expect(matchOf(world, challenger)).toBe(0)
        expect(cargoUnits(world, hullOf(world, challenger), iron)).toBe(mine?.ok ? 0 : 5)
      }
    }
  })

  test('refuses its pilots another challenge: already_in_match', () => {
    begin()
    const player_id = playerId(world, bob)
    expect(code(arena(small, ada, 'challenge', { player_id }))).toBe('already_in_match')
    expect(code(arena(small, ada, 'fight', { challenge_id: 'first_bout' }))).toBe(
      'already_in_match',
    )
    fightOut()
  })

  test('lets a fleeing pilot leave the ring and restores the fuel', () => {
    begin()
    const ship = hullOf(world, ada)
    world.write(Participant).speed[rowOf(world, ada)] = 8
    const { fuel } = world.read(Ship)
    const before = fuel[ship]
    for (let i = 0; i < 20 && matchOf(world, ada) !== 0; i++) {
      small.ask(ada, 'battle', { action: 'stance', stance: 'flee' })
      small.ask(bob, 'battle', { action: 'retreat' })
      small.ticks(1)
    }
    expect(matchOf(world, ada)).toBe(0)
    expect(fuel[ship]).toBe(before)
    expect(takePayloads(small, bob, 'battle_left')[0]).toMatchObject({ reason: 'fled' })
  })

  test('is reported to its fighters alone', () => {
    const watcher = pilotAt(small, poi)
    const challenge_id = dare(small, ada, bob)
    small.takeEmissions()
    arena(small, bob, 'accept', { challenge_id })
    const started = small.takeEmissions().filter(({ type }) => type.startsWith('battle_'))
    fightOut()
    const all = [
      ...started,
      ...small.takeEmissions().filter(({ type }) => type.startsWith('battle_')),
    ]
    const number = world.read(Player).seq[watcher]
    const own = all.filter(({ to }) => (to as readonly number[]).includes(number))
    expect(own).toEqual([])
    expect(all.some(({ type }) => type === 'battle_ended')).toBe(true)
  })

  test('ends as a stalemate when nothing happens, and does so after a restart', async () => {
    begin()
    for (const player of [ada, bob]) {
      world.write(Participant).guns[rowOf(world, player)] = 0
    }
    const restored = await small.reload()
    for (let i = 0; i < 31; i++) {
      small.ticks(1)
      restored.ticks(1)
      expect(restored.hash()).toBe(small.hash())
    }
    expect(matchOf(world, ada)).toBe(0)
    const [ended] = takePayloads(small, ada, 'battle_ended')
    expect(ended).toMatchObject({ reason: 'stalemate', winning_side: -1 })
  })
})
