/** Pay for a contract that is a gift to its carrier. Source: balance.md section 10. */
import { beforeEach, expect, test } from 'vitest'
import { addStat } from '../../../systems/account/rules.ts'
import { Shipment } from '../../../systems/freight/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { aPackage, done, freshScene, posted, refused, rowOf, type Scene } from './scene.ts'

onSmallMap()
let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

const POST = { base_reward: 30_000 }
const post = () => {
  const params = { package_id: aPackage(scene), ...POST }
  return () => posted(scene, params)
}
const earn = (credits: number) =>
  addStat(scene.small.world, scene.shipper, 'credits_earned', credits)

test('newcomers pay a fair sum, and cannot give away their grant as freight', () => {
  expect(post()).toThrow('trading_restricted')
  expect(posted(scene, { base_reward: 1_000 })).toMatch(/^[0-9a-f-]{36}$/)
})

test('what is paid above a fair sum counts once a carrier accepts it', () => {
  earn(40_000)
  const [first, second] = [posted(scene, POST), posted(scene, POST)]
  done(scene, scene.carrier, 'accept', { shipment_id: first })
  expect(refused(scene, scene.carrier, 'accept', { shipment_id: second })).toBe(
    'trading_restricted',
  )
  expect(post()).toThrow('trading_restricted')
  earn(100_000)
  done(scene, scene.carrier, 'accept', { shipment_id: second })
  expect(scene.small.world.read(Shipment).reward[rowOf(scene, second)]).toBe(30_000)
})
