/** A ship captured by boarding: the end of its tow and its insurance. salvage.md 4, 10. */
import { expect, test } from 'vitest'
import { balanceOf } from '../../../core/ledger.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { Player } from '../../../systems/account/state.ts'
import { Link } from '../../../systems/boarding/state.ts'
import { openPolicy, quoteShip } from '../../../systems/insurance/rules.ts'
import { Policy } from '../../../systems/insurance/state.ts'
import { prizeOf } from '../../../systems/prize/model.ts'
import { wrecksAt } from '../../../systems/salvage/model.ts'
import { Tow } from '../../../systems/salvage/state.ts'
import { tieWreck } from '../../../systems/salvage/tow-rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { stages } from '../boarding/stage.ts'
import { hullOfScale, loseAt } from './stage.ts'

onSmallMap()

const freshStage = await stages(2)

test('a captured ship drops its tow and loses its policy without a payout', async () => {
  const scene = await freshStage()
  const { world } = scene.small
  const [captor, victim] = scene.players
  const attacker = scene.enter({ side: 1, player: captor, marines: 6 })
  const modules = ['tow_rig_basic', 'marine_barracks']
  const hull = hullOfScale(2)
  const target = scene.enter({ side: 2, player: victim, crew: 0, hull, modules })
  const ship = scene.shipOf(target)
  const wreck = loseAt(world, scene.poi, { shipClass: hullOfScale(1) })
  tieWreck(world, ship, wreck)
  openPolicy(world, ship, world.read(Player).homeBase[victim], quoteShip(world, victim, ship))
  const before = balanceOf(world, walletOf(world, victim))
  scene.board(attacker, target, 6)
  scene.round()
  world.write(Link).progress[scene.linkOf(attacker)] = 99
  scene.round()
  expect(prizeOf(world, ship)).not.toBe(0)
  expect(wrecksAt(world, scene.poi)).toEqual([wreck])
  expect([world.read(Tow).wreck[ship], world.read(Tow).pct[ship]]).toEqual([0, 0])
  expect(world.countOf(Policy)).toBe(0)
  expect(balanceOf(world, walletOf(world, victim))).toBe(before)
  expect(scene.takePayloads('player_died')).toEqual([])
})
