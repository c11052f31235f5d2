/** Challenges between players and their matches. Source: combat.md section 14. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { namedContainer } from '../../../core/goods.ts'
import type { Eid, World } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
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
import type { SmallWorld } from '../../small-world.ts'
import {
  arena,
  arenaWorld,
  dare,
  empireArena,
  heard,
  hullOf,
  matchOf,
  pilotAt,
  rowOf,
} from './scene.ts'

let small: SmallWorld
let world: World
let poi: Eid
let one: Eid
let two: Eid
beforeAll(async () => {
  small = await arenaWorld()
  world = small.world
  poi = empireArena(world)
})
beforeEach(() => {
  one = pilotAt(small, poi)
  two = pilotAt(small, poi)
  small.takeEmissions()
})

function begin(): void {
  const challenge_id = dare(small, one, two)
  expect(arena(small, two, 'accept', { challenge_id }).ok).toBe(true)
}

/** Fights until nobody is in the match any more. */
function fightOut(): void {
  for (let i = 0; i < 400 && matchOf(world, one) !== 0; i++) small.ticks(1)
  expect(matchOf(world, one)).toBe(0)
}

const code = (outcome: { ok: boolean; code?: string }) => (outcome.ok ? 'ok' : outcome.code)

describe('a challenge between players', () => {
  test('is received by the other, and pending until it is answered: arena_challenge', () => {
    const id = dare(small, one, two, 3)
    const [notice] = heard(small, two, 'arena_challenge')
    expect(notice).toMatchObject({
      event: 'received',
      challenge_id: id,
      challenger_id: playerId(world, one),
      challenged_id: playerId(world, two),
      max_side_size: 3,
      expires_tick: world.tick + 30,
    })
    expect(small.ask(two, 'v2:game_arena/status')).toMatchObject({
      result: { in_match: false, at_arena: true, incoming: [{ challenge_id: id }], outgoing: [] },
    })
    expect(arena(small, one, 'cancel', { challenge_id: id }).ok).toBe(true)
  })

  test('that is accepted begins a match, and the challenger is notified', () => {
    const challenge_id = dare(small, one, two)
    small.takeEmissions()
    expect(arena(small, two, 'accept', { challenge_id })).toMatchObject({
      ok: true,
      result: { action: 'accept', battle_id: expect.any(String) },
    })
    const [notice] = heard(small, one, 'arena_challenge')
    expect(notice).toMatchObject({ event: 'accepted', battle_id: expect.any(String) })
    expect(matchOf(world, one)).toBe(matchOf(world, two))
    expect(matchOf(world, one)).not.toBe(0)
    fightOut()
  })

  test('that is declined is reported to the challenger', () => {
    const challenge_id = dare(small, one, two)
    expect(arena(small, two, 'decline', { challenge_id }).ok).toBe(true)
    expect(heard(small, one, 'arena_challenge')[0]).toMatchObject({ event: 'declined' })
    expect(world.records(DUELS).size).toBe(0)
  })

  test('that is declined is forgotten if there is no room to record it', () => {
    const rebuffs = world.records(REBUFFS)
    const free = REBUFFS.rowsMax - rebuffs.size
    const strangers = Array.from({ length: free }, (_, index) => `0:${index}`)
    for (const pair of strangers) rebuffs.set(pair, [world.tick])
    const challenge_id = dare(small, one, two)
    expect(arena(small, two, 'decline', { challenge_id }).ok).toBe(true)
    expect(rebuffs.size).toBe(REBUFFS.rowsMax)
    for (const pair of strangers) rebuffs.delete(pair)
  })

  test('that is cancelled is reported to the challenged', () => {
    const challenge_id = dare(small, one, two)
    small.takeEmissions()
    expect(arena(small, one, 'cancel', { challenge_id }).ok).toBe(true)
    expect(heard(small, two, 'arena_challenge')[0]).toMatchObject({ event: 'cancelled' })
  })

  test('expires after 30 ticks, and both are notified', () => {
    dare(small, one, two)
    small.takeEmissions()
    small.ticks(29)
    expect(world.records(DUELS).size).toBe(1)
    small.ticks(1)
    expect(world.records(DUELS).size).toBe(0)
    expect(heard(small, one, 'arena_challenge')[0]).toMatchObject({ event: 'expired' })
  })

  test('is one a challenger, and five a challenged player: limit_reached', () => {
    const rivals = Array.from({ length: 5 }, () => pilotAt(small, poi))
    const ids = rivals.map((rival) => dare(small, rival, two))
    const target = { player_id: playerId(world, two) }
    expect(code(arena(small, one, 'challenge', target))).toBe('limit_reached')
    expect(code(arena(small, rivals[0], 'challenge', { player_id: playerId(world, one) }))).toBe(
      'limit_reached',
    )
    for (const [i, challenge_id] of ids.entries()) {
      expect(arena(small, rivals[i], 'cancel', { challenge_id }).ok).toBe(true)
    }
  })

  test('waits for a while after three were declined: rate_limited', () => {
    for (let i = 0; i < 3; i++) {
      const challenge_id = dare(small, one, two)
      expect(arena(small, two, 'decline', { challenge_id }).ok).toBe(true)
    }
    const target = { player_id: playerId(world, two) }
    expect(code(arena(small, one, 'challenge', target))).toBe('rate_limited')
    expect(arena(small, two, 'challenge', { player_id: playerId(world, one) }).ok).toBe(true)
    const [pair] = [...world.records(REBUFFS).entries()].at(-1) ?? ['']
    world.records(REBUFFS).delete(pair)
    small.ticks(30)
  })

  test('is refused without a rival at hand: invalid_target', () => {
    const away = small.join(`Away ${small.players.length}`)
    for (const player_id of [playerId(world, away), playerId(world, one), 'nobody']) {
      expect(code(arena(small, one, 'challenge', { player_id }))).toBe('invalid_target')
    }
  })

  test('is refused elsewhere: not_at_arena', () => {
    const away = pilotAt(small, poisOf(world, world.read(Poi).system[poi])[0])
    const player_id = playerId(world, one)
    expect(code(arena(small, away, 'challenge', { player_id }))).toBe('not_at_arena')
    const challenge_id = dare(small, one, two)
    placeInSpace(world, hullOf(world, two), poisOf(world, world.read(Poi).system[poi])[0])
    expect(code(arena(small, two, 'accept', { challenge_id }))).toBe('not_at_arena')
    expect(arena(small, one, 'cancel', { challenge_id }).ok).toBe(true)
  })

  test('is refused to prisoners: detained', () => {
    const prisoner = small.join(`Prisoner ${small.players.length}`)
    addBounty(world, prisoner, 0, 1_000_000)
    expect(collectBounty(world, prisoner, 0)).toBe('detained')
    const player_id = playerId(world, one)
    expect(code(arena(small, prisoner, 'challenge', { player_id }))).toBe('detained')
  })

  test('that is unknown, or not one’s own to answer: challenge_not_found', () => {
    const challenge_id = dare(small, one, two)
    for (const action of ['accept', 'decline']) {
      expect(code(arena(small, one, action, { challenge_id }))).toBe('challenge_not_found')
    }
    expect(code(arena(small, two, 'cancel', { challenge_id }))).toBe('challenge_not_found')
    expect(code(arena(small, two, 'accept', { challenge_id: 'x' }))).toBe('challenge_not_found')
    expect(arena(small, one, 'cancel', { challenge_id }).ok).toBe(true)
  })

  test('cannot be taken up when the challenger has left: invalid_target', () => {
    const challenge_id = dare(small, one, two)
    startFlight(world, hullOf(world, one), poisOf(world, world.read(Poi).system[poi])[0], 3)
    expect(code(arena(small, two, 'accept', { challenge_id }))).toBe('invalid_target')
    small.ticks(3)
    expect(arena(small, one, 'cancel', { challenge_id }).ok).toBe(true)
  })

  test('is refused to players under way: in_transit', () => {
    startFlight(world, hullOf(world, one), poisOf(world, world.read(Poi).system[poi])[0], 9)
    const player_id = playerId(world, two)
    expect(code(arena(small, one, 'challenge', { player_id }))).toBe('in_transit')
    small.ticks(9)
  })

  test('is refused to who fights already: in_combat', () => {
    const [a, b] = [pilotAt(small, poi), pilotAt(small, poi)]
    expect(aggress(world, hullOf(world, a), hullOf(world, b)).ok).toBe(true)
    expect(code(arena(small, a, 'challenge', { player_id: playerId(world, one) }))).toBe(
      'in_combat',
    )
    for (const player of [a, b]) {
      world.write(Participant).fate[rowOf(world, player)] = FATES.indexOf('fled')
    }
    small.ticks(1)
  })

  test('has only the pilot on the side of one without a fleet, whatever the size', () => {
    for (const size of [1, 5]) expect(sideOf(world, one, size)).toEqual([hullOf(world, one)])
  })

  test('is refused while an arena has as many matches as it holds: limit_reached', () => {
    const challenge_id = dare(small, one, two)
    const number = world.read(Poi).seq[poi]
    const match = { poi: number, challenge: '', players: [], waves: 0, escaped: false }
    for (let i = 0; i < MATCHES_PER_ARENA_MAX; i++) {
      world.records(MATCHES).set(`test ${i}`, { ...match, startTick: world.tick })
    }
    const answers = small.registry.commands.get('arena')
    const outcome = (answers as { run(...args: unknown[]): { code?: string } }).run(world, two, {
      action: 'accept',
      challenge_id,
    })
    expect(outcome.code).toBe('limit_reached')
    for (let i = 0; i < MATCHES_PER_ARENA_MAX; i++) world.records(MATCHES).delete(`test ${i}`)
    expect(arena(small, one, 'cancel', { challenge_id }).ok).toBe(true)
  })
})

describe('a match between players', () => {
  test('ends with one knocked out, nothing lost, nothing left behind', () => {
    begin()
    const hulls = [hullOf(world, one), hullOf(world, two)]
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
      expect(emissions.some((news) => news.type === type)).toBe(false)
    }
    expect([hullOf(world, one), hullOf(world, two)]).toEqual(hulls)
    const { hull, hullMax } = world.read(Ship)
    for (const ship of hulls) expect(hull[ship]).toBe(hullMax[ship])
    expect(wrecksAt(world, poi)).toEqual([])
    expect([world.records(SAVED_SHIPS).size, world.records(MATCHES).size]).toEqual([0, 0])
  })

  test('is absent from its place for everybody outside', () => {
    const watcher = pilotAt(small, poi)
    begin()
    expect(playersAt(world, poi)).not.toContain(one)
    const nearby = small.ask(watcher, 'get_nearby') as { result: { nearby: object[] } }
    expect(JSON.stringify(nearby.result.nearby)).not.toContain(playerId(world, one))
    for (const target_id of [playerId(world, one), shipId(world, hullOf(world, one))]) {
      expect(code(small.act(watcher, 'attack', { target_id }))).toBe('invalid_target')
    }
    expect(inBattle(world, watcher)).toBe(false)
    fightOut()
    expect(playersAt(world, poi)).toContain(one)
  })

  test('leaves a pilot battle orders, attack, reload, use_item and scan: else in_combat', () => {
    begin()
    expect(code(small.act(one, 'jettison', { items: [] }))).not.toBe('ok')
    for (const [command, params] of [
      ['travel', { target_poi: 'x' }],
      ['jettison', { item_id: 'iron_ore', quantity: 1 }],
      ['self_destruct', {}],
    ] as const) {
      expect(code(small.act(one, command, params))).toBe('in_combat')
    }
    expect(small.act(one, 'attack', { target_id: playerId(world, two) }).ok).toBe(true)
    expect(small.ask(one, 'battle', { action: 'advance' }).ok).toBe(true)
    fightOut()
  })

  test('leaves a pilot no command that was given before it began: in_combat', () => {
    const iron = itemIndex('iron_ore')
    const elsewhere = poisOf(world, world.read(Poi).system[poi]).find((place) => place !== poi)
    for (const [command, params] of [
      ['jettison', { item_id: 'iron_ore', quantity: 5 }],
      ['travel', { target_poi: poiId(world, elsewhere ?? 0) }],
    ] as const) {
      for (let i = 0; i < 3; i++) {
        const [asker, asked] = [pilotAt(small, poi), pilotAt(small, poi)]
        loadCargo(world, hullOf(world, asker), namedContainer('supply'), iron, 5)
        const challenge_id = dare(small, asker, asked)
        const answers = small.tick(
          { player: asker, command, params },
          { player: asked, command: 'arena', params: { action: 'accept', challenge_id } },
        )
        // Who acts first is drawn anew in every tick.
        expect(answers.get(asked)).toMatchObject({ ok: true })
        const mine = answers.get(asker)
        if (command === 'travel' || !mine?.ok) expect(mine).toMatchObject({ code: 'in_combat' })
        world.write(Participant).speed[rowOf(world, asker)] = 8
        for (let left = 60; left > 0 && matchOf(world, asker) !== 0; left--) {
          small.ask(asker, 'battle', { action: 'stance', stance: 'flee' })
          small.ask(asked, 'battle', { action: 'retreat' })
          small.ticks(1)
        }
        expect(matchOf(world, asker)).toBe(0)
        expect(cargoUnits(world, hullOf(world, asker), iron)).toBe(mine?.ok ? 0 : 5)
      }
    }
  })

  test('is no place for another challenge: already_in_match', () => {
    begin()
    const player_id = playerId(world, two)
    expect(code(arena(small, one, 'challenge', { player_id }))).toBe('already_in_match')
    expect(code(arena(small, one, 'fight', { challenge_id: 'first_bout' }))).toBe(
      'already_in_match',
    )
    fightOut()
  })

  test('lets who flees leave the ring, and gives back what they had', () => {
    begin()
    const ship = hullOf(world, one)
    world.write(Participant).speed[rowOf(world, one)] = 8
    const { fuel } = world.read(Ship)
    const before = fuel[ship]
    for (let i = 0; i < 20 && matchOf(world, one) !== 0; i++) {
      small.ask(one, 'battle', { action: 'stance', stance: 'flee' })
      small.ask(two, 'battle', { action: 'retreat' })
      small.ticks(1)
    }
    expect(matchOf(world, one)).toBe(0)
    expect(fuel[ship]).toBe(before)
    expect(heard(small, two, 'battle_left')[0]).toMatchObject({ reason: 'fled' })
  })

  test('is reported to its fighters alone', () => {
    const watcher = pilotAt(small, poi)
    const challenge_id = dare(small, one, two)
    small.takeEmissions()
    arena(small, two, 'accept', { challenge_id })
    const started = small.takeEmissions().filter(({ type }) => type.startsWith('battle_'))
    fightOut()
    const all = [
      ...started,
      ...small.takeEmissions().filter(({ type }) => type.startsWith('battle_')),
    ]
    const number = world.read(Poi).seq.length
    expect(number).toBeGreaterThan(0)
    const watching = small.players.indexOf(watcher) + 1
    expect(watching).toBeGreaterThan(0)
    const own = all.filter(({ to }) => JSON.stringify(to).includes(`[${watching}]`))
    expect(own).toEqual([])
    expect(all.some(({ type }) => type === 'battle_ended')).toBe(true)
  })

  test('ends as a draw when nothing happens, and after a restart goes on as before', async () => {
    begin()
    for (const player of [one, two]) {
      world.write(Participant).guns[rowOf(world, player)] = 0
    }
    const again = await small.reload()
    for (let i = 0; i < 31; i++) {
      small.ticks(1)
      again.ticks(1)
      expect(again.hash()).toBe(small.hash())
    }
    expect(matchOf(world, one)).toBe(0)
    const [ended] = heard(small, one, 'battle_ended')
    expect(ended).toMatchObject({ reason: 'stalemate', winning_side: -1 })
  })
})
