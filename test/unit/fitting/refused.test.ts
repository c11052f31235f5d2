/** When no fit and no hangar may be touched: in battles, under way, in a world that is full. */
import { expect, test } from 'vitest'
import { rowsOf } from '../../../core/columns.ts'
import { Stack } from '../../../core/goods.ts'
import { TABLE_FILL_MAX_PCT } from '../../../core/limits.ts'
import { prizeOf } from '../../../systems/prize/model.ts'
import { openPrize } from '../../../systems/prize/rules.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { createShip } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { poiId, poisOf } from '../../../systems/travel/model.ts'
import { undockShip } from '../../../systems/travel/rules.ts'
import { Location, Poi } from '../../../systems/travel/state.ts'
import { uncheck } from '../../small-world.ts'
import { hullOf, meeting } from '../combat/scene.ts'
import { docks, give, hull, idOf, parked } from './scene.ts'

const COMMANDS = [
  ['install_mod', { module_id: 'scanner_i' }],
  ['uninstall_mod', { module_id: 'scanner_i' }],
  ['repair_module', { module_id: 'scanner_i' }],
  ['refit_ship', {}],
  ['switch_ship', { ship_id: 'x' }],
  ['scrap_ship', { ship_id: 'x' }],
  ['name_ship', { name: 'In the Thick of It' }],
] as const

test('in a battle, boarded or not, all of it is refused: in_combat', async () => {
  const { small, id, players } = await meeting(2)
  const [one, two] = players
  expect(small.act(one, 'attack', { target_id: id(two) })).toMatchObject({ ok: true })
  for (const [command, params] of COMMANDS) {
    for (const player of [one, two]) {
      expect(small.act(player, command, params), command).toMatchObject({ code: 'in_combat' })
    }
  }
})

test('an action of a ship attacked in the same tick is dropped: combat_interrupt', async () => {
  const { small, world, id, players } = await meeting(2)
  const [one, two] = players
  const answers = small.tick(
    { player: one, command: 'attack', params: { target_id: id(two) } },
    { player: two, command: 'name_ship', params: { name: 'Too Late' } },
  )
  expect(answers.get(two)).toMatchObject({ code: 'combat_interrupt' })
  expect(world.texts.get(world.read(Ship).name[hullOf(world, two)])).toBe('')
})

test('under way nothing is fitted, and where no base is there is no dock', async () => {
  const at = await docks()
  const player = at.pilot('almoner', ['scanner_i'])
  const ship = hull(at.world, player)
  give(at.world, ship, 'scanner_i')
  undockShip(at.world, ship)
  const { base, hidden } = at.world.read(Poi)
  const open = poisOf(at.world, at.world.read(Location).system[ship]).find(
    (poi) => base[poi] === 0 && hidden[poi] === 0,
  )
  at.small.tick({ player, command: 'travel', params: { target_poi: poiId(at.world, open ?? 0) } })
  for (const [command, params] of COMMANDS) {
    expect(at.act(player, command, params), command).toMatchObject({ code: 'in_transit' })
  }
  at.small.ticks(20)
  for (const [command, params] of COMMANDS.slice(0, 5)) {
    expect(at.act(player, command, params), command).toMatchObject({ code: 'not_docked' })
  }
  expect(at.act(player, 'name_ship', { name: 'Far from Port' })).toMatchObject({ ok: true })
})

test('a prize on its way is nobody’s ship yet: ship_not_found', async () => {
  const at = await docks()
  const player = at.pilot()
  const { world } = at
  const taken = createShip(world, { owner: 0, shipClass: 0, modules: [] })
  const poi = world.read(Location).poi[hull(world, player)]
  const former = { id: 'former', name: 'Former Owner' }
  openPrize(world, { ship: taken, poi, captor: player, home: 0, former })
  expect(prizeOf(world, taken)).not.toBe(0)
  for (const command of ['switch_ship', 'scrap_ship']) {
    at.refuses(player, command, { ship_id: shipId(world, taken) }, 'ship_not_found')
  }
})

test('in a full world no module moves: limit_reached', async () => {
  const at = await docks()
  const player = at.pilot('almoner', ['scanner_ii'])
  const { world } = at
  give(world, hull(world, player), 'scanner_i')
  const other = parked(world, player, 'clause')
  // Rows without a container belong to nobody: only the checks would look at them.
  uncheck(at.small)
  const most = Math.floor((rowsOf(Stack, world.maxEntities) * TABLE_FILL_MAX_PCT) / 100)
  while (world.countOf(Stack) < most) world.take(Stack)
  at.refuses(player, 'install_mod', { module_id: 'scanner_i' }, 'limit_reached')
  at.refuses(player, 'uninstall_mod', { module_id: 'scanner_ii' }, 'limit_reached')
  at.refuses(player, 'switch_ship', { ship_id: idOf(world, other) }, 'limit_reached')
  at.refuses(player, 'scrap_ship', { ship_id: idOf(world, other) }, 'limit_reached')
  world.write(Ship).loadoutVersion[hull(world, player)] = 0
  at.refuses(player, 'refit_ship', {}, 'limit_reached')
})
