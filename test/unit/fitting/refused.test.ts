/** Refusals of fitting commands in battles, under way and in a full world. */
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
import { onSmallMap, uncheck } from '../../small-world.ts'
import { hullOf, meeting } from '../combat/scene.ts'
import { docks, give, hull, idOf, parked } from './scene.ts'

onSmallMap()

/** Commands on modules and ships; all but name_ship and scrap_ship need a dock. */
const COMMANDS = [
  ['install_mod', { module_id: 'scanner_i' }],
  ['uninstall_mod', { module_id: 'scanner_i' }],
  ['repair_module', { module_id: 'scanner_i' }],
  ['refit_ship', {}],
  ['switch_ship', { ship_id: 'x' }],
  ['scrap_ship', { ship_id: 'x' }],
  ['name_ship', { name: 'In the Thick of It' }],
] as const

test('in_combat: every fitting command is refused in a battle', async () => {
  const { small, id, players } = await meeting(2)
  const [attacker, target] = players
  expect(small.act(attacker, 'attack', { target_id: id(target) })).toMatchObject({ ok: true })
  for (const [command, params] of COMMANDS) {
    for (const player of [attacker, target]) {
      expect(small.act(player, command, params), command).toMatchObject({ code: 'in_combat' })
    }
  }
})

test('combat_interrupt: an attack drops a command of its target in the same tick', async () => {
  const { small, world, id, players } = await meeting(2)
  const [attacker, target] = players
  const answers = small.tick(
    { player: attacker, command: 'attack', params: { target_id: id(target) } },
    { player: target, command: 'name_ship', params: { name: 'Too Late' } },
  )
  expect(answers.get(target)).toMatchObject({ code: 'combat_interrupt' })
  expect(world.texts.get(world.read(Ship).name[hullOf(world, target)])).toBe('')
})

test('fitting commands are refused under way and away from bases', async () => {
  const scene = await docks()
  const player = scene.pilot('almoner', ['scanner_i'])
  const ship = hull(scene.world, player)
  give(scene.world, ship, 'scanner_i')
  undockShip(scene.world, ship)
  const { base, hidden } = scene.world.read(Poi)
  const emptyPoi = poisOf(scene.world, scene.world.read(Location).system[ship]).find(
    (poi) => base[poi] === 0 && hidden[poi] === 0,
  )
  scene.small.tick({
    player,
    command: 'travel',
    params: { target_poi: poiId(scene.world, emptyPoi ?? 0) },
  })
  for (const [command, params] of COMMANDS) {
    expect(scene.act(player, command, params), command).toMatchObject({ code: 'in_transit' })
  }
  scene.small.ticks(20)
  for (const [command, params] of COMMANDS.slice(0, 5)) {
    expect(scene.act(player, command, params), command).toMatchObject({ code: 'not_docked' })
  }
  expect(scene.act(player, 'name_ship', { name: 'Far from Port' })).toMatchObject({ ok: true })
})

test('ship_not_found: a prize on its way belongs to nobody', async () => {
  const scene = await docks()
  const player = scene.pilot()
  const { world } = scene
  const taken = createShip(world, { owner: 0, shipClass: 0, modules: [] })
  const poi = world.read(Location).poi[hull(world, player)]
  const former = { id: 'former', name: 'Former Owner' }
  openPrize(world, { ship: taken, poi, captor: player, home: 0, former })
  expect(prizeOf(world, taken)).not.toBe(0)
  for (const command of ['switch_ship', 'scrap_ship']) {
    scene.refuses(player, command, { ship_id: shipId(world, taken) }, 'ship_not_found')
  }
})

test('limit_reached: no module is moved in a full world', async () => {
  const scene = await docks()
  const player = scene.pilot('almoner', ['scanner_ii'])
  const { world } = scene
  give(world, hull(world, player), 'scanner_i')
  const other = parked(world, player, 'clause')
  // The checks of the world would fail on stacks without a container.
  uncheck(scene.small)
  const stacksMax = Math.floor((rowsOf(Stack, world.maxEntities) * TABLE_FILL_MAX_PCT) / 100)
  while (world.countOf(Stack) < stacksMax) world.take(Stack)
  scene.refuses(player, 'install_mod', { module_id: 'scanner_i' }, 'limit_reached')
  scene.refuses(player, 'uninstall_mod', { module_id: 'scanner_ii' }, 'limit_reached')
  scene.refuses(player, 'switch_ship', { ship_id: idOf(world, other) }, 'limit_reached')
  scene.refuses(player, 'scrap_ship', { ship_id: idOf(world, other) }, 'limit_reached')
  world.write(Ship).loadoutVersion[hull(world, player)] = 0
  scene.refuses(player, 'refit_ship', {}, 'limit_reached')
})
