/** claim_prize: who may claim a prize, when, and with which crew. Source: combat.md 11, 17. */
import { beforeEach, describe, expect, test } from 'vitest'
import { shipClassIndex } from '../../../core/catalog/index.ts'
import { balanceOf } from '../../../core/ledger.ts'
import { playerId, walletOf } from '../../../systems/account/model.ts'
import { Base } from '../../../systems/base/state.ts'
import { aggress } from '../../../systems/combat/engage-rules.ts'
import { foundFaction } from '../../../systems/faction/member-rules.ts'
import { hintsFor } from '../../../systems/info/hints-views.ts'
import { peopleOf, reserveOf } from '../../../systems/personnel/model.ts'
import { changeReserve } from '../../../systems/personnel/rules.ts'
import { FACTION_RESERVE_PEOPLE_MAX } from '../../../systems/personnel/state.ts'
import { claimantOf } from '../../../systems/prize/model.ts'
import { PlayerPrizes, Prize } from '../../../systems/prize/state.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poiId, poisOf, systemId } from '../../../systems/travel/model.ts'
import { dockShip, placeInSpace } from '../../../systems/travel/rules.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { addService } from '../faction/scene.ts'
import { type PrizeScene, prizeScenes } from './scene.ts'

onSmallMap()

const freshScene = await prizeScenes()
let scene: PrizeScene

beforeEach(async () => {
  scene = await freshScene()
})

const crewOf = (ship: number) => peopleOf(scene.world, ship).fitCrew

describe('claim_prize', () => {
  test('is hinted at to the captor alone, until the prize is claimed or free to all', () => {
    const { small, world, captor, other, id, prize } = scene
    const hint = (player: number) =>
      hintsFor(world, player).filter((text) => text.includes('is your prize for'))
    expect(hint(captor)).toEqual([expect.stringContaining(id)])
    expect(hint(other)).toEqual([])
    const { claimUntil } = world.write(Prize)
    const until = claimUntil[prize]
    small.ticks(1)
    claimUntil[prize] = world.tick - 1
    expect(hint(captor)).toEqual([])
    claimUntil[prize] = until
    expect(scene.claim()).toMatchObject({ ok: true })
    expect(hint(captor)).toEqual([])
  })

  test('moves the minimum crew aboard and sets the prize to recovering', () => {
    const { world, captor, hull, poi } = scene
    const need = world.read(Ship).crewMin[hull]
    const before = crewOf(scene.shipOf(captor))
    const credits = balanceOf(world, walletOf(world, captor))
    expect(scene.claim()).toMatchObject({
      ok: true,
      result: {
        action: 'claim_prize',
        prize_id: scene.id,
        ship_class: 'reaver',
        status: 'recovering',
        crew_moved: need,
        poi_id: poiId(world, poi),
        destination_base_id: scene.baseId(scene.near),
        message: expect.stringMatching(
          /^Claimed .+; \d+ crew members? takes? it home\. .* it is a ship of yours/,
        ),
      },
    })
    expect(need).toBeGreaterThan(0)
    expect([crewOf(hull), crewOf(scene.shipOf(captor))]).toEqual([need, before - need])
    expect(claimantOf(world, hull)).toBe(captor)
    expect(world.read(PlayerPrizes).claimed[captor]).toBe(1)
    expect(balanceOf(world, walletOf(world, captor))).toBe(credits)
  })

  test('lists the prize in the status of its claimant until it is delivered', () => {
    const { small, world, captor, other, hull } = scene
    const listed = (player: number, command: string) =>
      (small.ask(player, command) as { result: { prize_recoveries: object[] } }).result
        .prize_recoveries
    expect(listed(captor, 'get_status')).toEqual([])
    scene.claim()
    const row = {
      prize_id: scene.id,
      ship_id: shipId(world, hull),
      status: 'recovering',
      prize_crew_fit: world.read(Ship).crewMin[hull],
      ship_class: 'reaver',
      destination_base_id: scene.baseId(scene.near),
    }
    for (const command of ['get_status', 'v2:game/get_status', 'v2:game/get_state']) {
      expect(listed(captor, command)).toMatchObject([row])
      expect(listed(other, command)).toEqual([])
    }
    scene.until('delivered')
    expect(listed(captor, 'get_status')).toEqual([])
  })

  test('sends prize_update to the claimant alone', () => {
    const { world, hull, poi } = scene
    scene.small.takeEmissions()
    scene.claim()
    const emissions = scene.small.takeEmissions().filter(({ type }) => type === 'prize_update')
    expect(emissions).toHaveLength(1)
    expect(emissions[0].to).toEqual([1])
    expect(emissions[0].payload).toEqual({
      prize_id: scene.id,
      ship_id: shipId(world, hull),
      ship_class: 'reaver',
      status: 'recovering',
      destination_base_id: scene.baseId(scene.near),
      system_id: systemId(world, world.read(Poi).system[poi]),
      poi_id: poiId(world, poi),
      message: expect.stringContaining('on its way'),
    })
  })

  test('changes nothing when repeated', () => {
    scene.claim()
    const crew = crewOf(scene.shipOf(scene.captor))
    expect(scene.claim()).toMatchObject({
      ok: true,
      result: { crew_moved: 0, message: expect.stringContaining('already claimed') },
    })
    expect(crewOf(scene.shipOf(scene.captor))).toBe(crew)
    expect(
      scene.claim(scene.captor, { destination_base_id: scene.baseId(scene.far) }),
    ).toMatchObject({ code: 'invalid_base' })
  })

  test('undocks the ship of the claimant first', () => {
    const { small, world, near, captor } = scene
    const poi = world.read(Base).poi[near]
    placeInSpace(world, scene.hull, poi)
    dockShip(world, scene.shipOf(captor), near)
    const params = { prize_id: scene.id, destination_base_id: scene.baseId(scene.far) }
    expect(small.answer(captor, 'claim_prize', params)).toMatchObject({
      autoUndocked: true,
      outcome: { ok: true },
    })
  })

  test('is reserved for the captor for 360 ticks, then open to anybody', () => {
    const { world, prize, other } = scene
    const { claimUntil } = world.write(Prize)
    expect(claimUntil[prize]).toBe(world.tick + 360)
    expect(scene.claim(other)).toMatchObject({ code: 'claim_reserved' })
    claimUntil[prize] = world.tick
    expect(scene.claim(other)).toMatchObject({ ok: true })
    expect(claimantOf(world, scene.hull)).toBe(other)
  })

  test('is refused not_owner for a prize that another player has claimed', () => {
    scene.claim()
    expect(scene.claim(scene.other)).toMatchObject({ code: 'not_owner' })
  })

  test('is refused prize_not_found for an unknown prize and for a hidden one', () => {
    const { world, captor, poi } = scene
    const unknown = playerId(world, captor)
    expect(scene.claim(captor, { prize_id: unknown })).toMatchObject({ code: 'prize_not_found' })
    world.write(Poi).hidden[poi] = 1
    const elsewhere = poisOf(world, world.read(Poi).system[poi]).find((place) => place !== poi)
    placeInSpace(world, scene.shipOf(captor), elsewhere as number)
    expect(scene.claim()).toMatchObject({ code: 'prize_not_found' })
    placeInSpace(world, scene.shipOf(captor), poi)
    expect(scene.claim()).toMatchObject({ ok: true })
  })

  test('is refused not_at_prize elsewhere', () => {
    const { world, captor, near } = scene
    placeInSpace(world, scene.shipOf(captor), world.read(Base).poi[near])
    expect(scene.claim()).toMatchObject({ code: 'not_at_prize' })
  })

  test('is refused in_combat during a battle for the prize', () => {
    const { world, hull, other } = scene
    expect(aggress(world, scene.shipOf(other), hull)).toMatchObject({ ok: true })
    expect(scene.claim()).toMatchObject({ code: 'in_combat' })
  })

  test('is refused insufficient_personnel if no crew would be left', () => {
    const { world, captor, hull } = scene
    const need = world.read(Ship).crewMin[hull]
    world.write(Ship).crewFit[scene.shipOf(captor)] = need
    expect(scene.claim()).toMatchObject({
      code: 'insufficient_personnel',
      details: { need, have: need - 1 },
    })
    expect(crewOf(hull)).toBe(0)
  })

  test('is refused for an unknown destination and for a closed one', () => {
    const { world, captor, near } = scene
    const to = (destination_base_id: string) => scene.claim(captor, { destination_base_id })
    expect(to('nowhere')).toMatchObject({ code: 'station_not_found' })
    world.write(Base).pirateRepRequired[near] = 50
    expect(to(scene.baseId(near))).toMatchObject({ code: 'invalid_base' })
  })

  test('is refused invalid_base for a destination without a route', () => {
    const { world, captor, far } = scene
    const { laneCount } = world.write(StarSystem)
    laneCount[world.read(Poi).system[world.read(Base).poi[far]]] = 0
    const destination_base_id = scene.baseId(far)
    expect(scene.claim(captor, { destination_base_id })).toMatchObject({ code: 'invalid_base' })
  })

  test('is refused for a sixth claimed prize and for a hundred and first ship', () => {
    const { world, captor } = scene
    world.write(Ship).crewFit[scene.shipOf(captor)] = 24
    for (let i = 0; i < 5; i++) {
      const { id, hull } = scene.take(captor, 'cutpurse')
      world.write(Ship).crewFit[hull] = world.read(Ship).crewMin[hull]
      expect(scene.claim(captor, { prize_id: id })).toMatchObject({ ok: true })
      expect(scene.service('stop', { prize_id: id })).toMatchObject({ ok: true })
    }
    expect(scene.claim()).toMatchObject({ code: 'limit_reached', details: { max: 5 } })
    for (let i = 0; i < 99; i++) {
      createShip(world, { owner: scene.other, shipClass: shipClassIndex('cutpurse'), modules: [] })
    }
    world.write(Prize).claimUntil[scene.prize] = 0
    expect(scene.claim(scene.other)).toMatchObject({ code: 'ship_limit', details: { max: 100 } })
  })

  test('is refused not_in_faction for the disposition faction_reserve', () => {
    const crew_disposition = 'faction_reserve'
    expect(scene.claim(scene.captor, { crew_disposition })).toMatchObject({
      code: 'not_in_faction',
    })
    expect(scene.claim(scene.captor, { crew_disposition: 'aboard' })).toMatchObject({ ok: true })
  })

  test('sends the crew into the reserve of the faction once the prize is home', () => {
    const { small, world, captor, hull, near } = scene
    const faction = foundFaction(world, captor, 'Long Boats', 'LONG')
    const disposition = { crew_disposition: 'faction_reserve' }
    expect(scene.claim(captor, disposition)).toMatchObject({ code: 'no_faction_storage' })
    addService(world, faction, near, 'faction_storage')
    changeReserve(world, faction, near, { fitCrew: FACTION_RESERVE_PEOPLE_MAX })
    expect(scene.claim(captor, disposition)).toMatchObject({ code: 'no_berths' })
    changeReserve(world, faction, near, { fitCrew: -FACTION_RESERVE_PEOPLE_MAX })
    expect(scene.claim(captor, disposition).ok).toBe(true)
    expect(small.ask(captor, 'get_status')).toMatchObject({
      result: { prize_recoveries: [disposition] },
    })
    const crew = crewOf(hull)
    expect(crew).toBeGreaterThan(0)
    scene.until('delivered')
    expect(crewOf(hull)).toBe(0)
    expect(reserveOf(world, faction, near).fitCrew).toBe(crew)
  })
})
