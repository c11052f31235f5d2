/** Freight to outposts: only their faction can take it, and only its members can deliver it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMember } from '../../../systems/faction/member-rules.ts'
import { factionIdOf } from '../../../systems/faction/model.ts'
import { outpost, type Port } from '../station/scene.ts'
import { aPackage, dockAt, done, freshScene, refused, type Scene, tradeOre } from './scene.ts'

let scene: Scene
let depot: Port
beforeEach(async () => {
  scene = await freshScene()
  tradeOre(scene, 4)
  const { small, origin } = scene
  depot = outpost(small)
  dockAt(small.world, depot.leader, origin)
})
afterEach(() => scene.small.ticks(1))

const request = (package_id: string, recipient_type: string) => ({
  destination_base_id: depot.id,
  base_reward: 1_000,
  package_id,
  recipient_type,
})

const packageOfLeader = () =>
  aPackage(scene, { kind: 'locker', player: depot.leader, base: scene.origin })

test('an outpost itself receives nothing: nobody could take the goods out of it', () => {
  const params = request(packageOfLeader(), 'station')
  expect(refused(scene, depot.leader, 'post', params)).toBe('invalid_recipient')
})

test('who may not dock at the outpost may not accept the contract', () => {
  const { carrier } = scene
  const { contract } = done(scene, depot.leader, 'post', {
    ...request(packageOfLeader(), 'faction'),
    recipient_id: factionIdOf(scene.small.world, depot.faction),
  }) as { contract: { id: string } }
  const accept = { shipment_id: contract.id }
  expect(refused(scene, carrier, 'accept', accept)).toBe('shipment_not_found')
  addMember(scene.small.world, carrier, depot.faction)
  expect(done(scene, carrier, 'accept', accept)).toMatchObject({ contract: { id: contract.id } })
})
