/** Tracking a package by its beacon. Source: crafting.md section 10, track. */
import { beforeEach, describe, expect, test } from 'vitest'
import { baseId } from '../../../systems/base/model.ts'
import { Shipment, TRACKS } from '../../../systems/freight/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { done, freshScene, load, refused, type Scene, tradeOre, underWay } from './scene.ts'

onSmallMap()

let scene: Scene
beforeEach(async () => {
  scene = await freshScene()
  tradeOre(scene, 4)
})

describe('shipping track', () => {
  test('shows the moves of a package to its parties only', () => {
    const { small, shipper, carrier, third, origin } = scene
    const { shipment_id, package_id } = underWay(scene)
    const { events } = done(scene, shipper, 'track', { shipment_id }) as { events: object[] }
    const base_id = baseId(small.world, origin)
    expect(events).toMatchObject([
      { class: 'shipping_house_escrow', base_id, package_id },
      { class: 'player_storage', base_id, custodian: { kind: 'player' } },
      { class: 'ship', base_id, custodian: { kind: 'player' } },
    ])
    const fingerprints = new Set(
      events.map((event) => (event as { fingerprint: string }).fingerprint),
    )
    expect([...fingerprints][0]).toMatch(/^[0-9a-f]{8}$/)
    expect(fingerprints.size).toBe(1)
    const last = done(scene, carrier, 'track', { package_id, limit: 1 }) as { events: object[] }
    expect(last.events).toMatchObject([{ class: 'ship' }])
    expect(refused(scene, third, 'track', { shipment_id })).toBe('shipment_not_found')
    load(scene, third, package_id)
    done(scene, third, 'get', { package_id })
    expect(refused(scene, third, 'track', { shipment_id })).toBe('shipment_not_found')
  })

  test('keeps only the latest fifty moves', () => {
    const { small, shipper, carrier, third } = scene
    const { shipment_id, package_id, row } = underWay(scene)
    for (let i = 0; i < 40; i++) {
      load(scene, third, package_id)
      load(scene, carrier, package_id)
    }
    const key = String(small.world.read(Shipment).seq[row])
    expect(small.world.records(TRACKS).get(key)?.beacons.length).toBe(50)
    for (const limit of [undefined, 200]) {
      const request = { shipment_id, ...(limit && { limit }) }
      expect(done(scene, shipper, 'track', request).events).toHaveLength(50)
    }
  })
})
