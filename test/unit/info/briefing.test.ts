/** The briefing at docking, of what is at the base. Source: newer.md 7, travel.md 6. */
import { Value } from 'typebox/value'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { usernameOf } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { dockResultSchema } from '../../../systems/base/schemas.ts'
import { facilityId } from '../../../systems/facility/model.ts'
import { Facility } from '../../../systems/facility/state.ts'
import { activeShip, shipClassOf, shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { Commission } from '../../../systems/shipyard/state.ts'
import { dockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Scene, scene, standing, store } from '../facility/scene.ts'
import { CLASS } from '../shipyard/scene.ts'
import { allowGiving } from '../trade/stage.ts'

onSmallMap()

type Fields = Record<string, unknown>

let stage: Scene
beforeEach(async () => {
  stage = await scene()
  allowGiving(stage.small.world, stage.other, 1_000_000)
})

/** Undocks and docks again; returns the briefing. */
function dockAgain(player = stage.owner): Fields {
  expect(stage.small.act(player, 'undock')).toMatchObject({ ok: true })
  const outcome = stage.small.act(player, 'dock') as unknown as { result: Fields }
  expect([...Value.Errors(dockResultSchema, outcome.result)]).toEqual([])
  return outcome.result
}

function give(params: object): void {
  const { small, owner, other } = stage
  const recipient = usernameOf(small.world, owner)
  expect(small.act(other, 'send_gift', { recipient, ...params })).toMatchObject({ ok: true })
}

function park(player: Eid): Eid {
  const { small, base } = stage
  const shipClass = small.world.read(Ship).class[activeShip(small.world, player)]
  const ship = createShip(small.world, { owner: player, shipClass, modules: [] })
  dockShip(small.world, ship, base)
  return ship
}

describe('the briefing at docking', () => {
  it('is empty for a pilot with nothing to report', () => {
    const briefing = dockAgain()
    for (const field of ['gifts', 'stored_ships', 'commissions_active', 'your_facilities']) {
      expect(briefing).not.toHaveProperty(field)
    }
  })

  it('lists gifts, including ships, until the player views the storage', () => {
    const { small, owner, other, base } = stage
    store(small, other, base, { steel_plate: 30 })
    give({ item_id: 'steel_plate', quantity: 7, source: 'storage', message: 'For the roof.' })
    const ship = park(other)
    small.world.setText(Ship, 'name', ship, 'Old Faithful')
    give({ ship_id: shipId(small.world, ship) })
    const [sender, class_id] = [usernameOf(small.world, other), shipClassOf(small.world, ship).id]
    for (let times = 0; times < 2; times++) {
      expect(dockAgain()).toMatchObject({
        gifts: [
          {
            sender,
            message: 'For the roof.',
            timestamp: expect.any(String),
            items: [{ item_id: 'steel_plate', quantity: 7 }],
          },
          {
            sender,
            ships: [{ ship_id: shipId(small.world, ship), class_id, custom_name: 'Old Faithful' }],
          },
        ],
        gifts_count: 2,
        gifts_truncated: false,
        gifts_note: expect.stringMatching(/^2 gifts/),
      })
    }
    small.ask(owner, 'internal:gifts_seen', { base_id: baseId(small.world, base) })
    expect(dockAgain()).not.toHaveProperty('gifts_count')
  })

  it('lists the newest twenty of many gifts', () => {
    const { small, other, base } = stage
    store(small, other, base, { steel_plate: 30 })
    for (let quantity = 1; quantity <= 21; quantity++) give({ credits: quantity })
    const briefing = dockAgain()
    expect(briefing).toMatchObject({ gifts_count: 21, gifts_truncated: true })
    expect((briefing.gifts as Fields[]).map(({ credits }) => credits)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    )
  })

  it('lists parked ships and facilities of this base only', () => {
    const { small, owner, base } = stage
    const { world } = small
    const ship = park(owner)
    const row = standing(stage, 'smelter', owner)
    expect(dockAgain()).toMatchObject({
      stored_ships: [{ ship_id: shipId(world, ship) }],
      stored_ships_count: 1,
      your_facilities: [{ facility_id: facilityId(world, row), type: 'smelter', status: 'online' }],
    })
    expect(world.read(Facility).base[row]).toBe(base)
    const away = world.read(Facility).base[row] + 1
    dockShip(world, ship, away)
    expect(dockAgain()).not.toHaveProperty('stored_ships')
  })

  it('lists ships on commission, with the ticks that remain', () => {
    const { small, owner } = stage
    const order = { ship_class: CLASS }
    expect(small.act(owner, 'commission_ship', order)).toMatchObject({ ok: true })
    const [row] = dockAgain().commissions_active as Fields[]
    expect(row).toMatchObject({ class_id: CLASS, status: expect.any(String) })
    const due = small.world.read(Commission).doneTick[1]
    expect(row.ticks_remaining).toBe(due === 0 ? undefined : due - small.world.tick)
  })
})
