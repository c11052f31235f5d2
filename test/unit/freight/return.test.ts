/** Returning a package that never fitted into the hold of its carrier. Ours: it was a dead end. */
import { beforeEach, expect, test } from 'vitest'
import { done, freshScene, posted, refused, type Scene } from './scene.ts'

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
})

test('a package is returned out of the storage where accepting has put it', () => {
  const { carrier } = scene
  const shipment_id = posted(scene)
  expect(refused(scene, carrier, 'return', { shipment_id })).toBe('package_not_aboard')
  done(scene, carrier, 'accept', { shipment_id })
  expect(done(scene, carrier, 'return', { shipment_id })).toMatchObject({
    contract: { status: 'returned' },
  })
})
