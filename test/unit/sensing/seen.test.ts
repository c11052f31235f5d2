/** Events and lists that must not give hidden players away. Source: DESIGN 2, Seeing. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { Player } from '../../../systems/account/state.ts'
import { ShipCombat } from '../../../systems/combat/state.ts'
import { aliasOf } from '../../../systems/sensing/model.ts'
import { setCloak } from '../../../systems/sensing/rules.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { hullOf } from '../combat/scene.ts'
import { codeOf, resultOf, type Sensing, sensing } from './scene.ts'

onSmallMap()

let scene: Sensing
let one: Eid
let two: Eid
beforeEach(async () => {
  scene = await sensing(3)
  ;[one, two] = scene.players
})

const number = (player: Eid): number => scene.world.read(Player).seq[player]

test('a cloaked player who disconnects is not reported by pilotless_ship', () => {
  const { world, small } = scene
  world.write(ShipCombat).aggressiveUntil[hullOf(world, two)] = world.tick + 20
  setCloak(world, two, true)
  small.takeEmissions()
  small.ask(0, 'internal:unbind', { player: number(two), channel: 'ws' })
  expect(scene.takePayloads(one, 'pilotless_ship')).toEqual([])
})

describe('the wreck of an anonymous player', () => {
  test('shows neither their name nor that of their ship', () => {
    const { world, small } = scene
    world.write(Player).anonymous[two] = 1
    world.setText(Ship, 'name', hullOf(world, two), 'Daughter of Night')
    const hull = shipId(world, hullOf(world, two))
    expect(codeOf(small.act(one, 'attack', { target_id: aliasOf(world, two) }))).toBe('ok')
    scene.doom(two, 'destroyed', one)
    small.ticks(1)
    const { wrecks } = resultOf<{ wrecks: object[] }>(small.ask(one, 'get_wrecks'))
    expect(wrecks).toMatchObject([{ victim_id: hull, victim_name: '' }])
    expect(JSON.stringify(wrecks)).not.toContain('Daughter of Night')
  })
})
