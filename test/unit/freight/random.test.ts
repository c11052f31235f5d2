/** Random freight commands: credits are conserved, and refusals change nothing. */
import { expect, test } from 'vitest'
import { Account } from '../../../core/ledger.ts'
import { drawBelow, hash32 } from '../../../core/rng.ts'
import { baseId } from '../../../systems/base/model.ts'
import { destroyPackage, packageById } from '../../../systems/cargo/rules.ts'
import { Package } from '../../../systems/cargo/state.ts'
import { Shipment } from '../../../systems/freight/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { aPackage, comeDue, dockAt, freshScene, load, type Scene, tradeOre } from './scene.ts'

onSmallMap()

const STEPS = 220

function sumOfAccounts(scene: Scene): bigint {
  const { alive, credits } = scene.small.world.read(Account)
  let all = 0n
  for (let row = 1; row <= scene.small.world.highOf(Account); row++) {
    if (alive[row] === 1) all += BigInt(credits[row])
  }
  return all
}

test.each([1, 2, 3])('seed %i: random commands conserve credits', async (seed) => {
  const scene = await freshScene()
  const { small, shipper, carrier, third, origin, destination } = scene
  const { world, registry } = small
  tradeOre(scene, 4)
  let draws = 0
  const draw = (bound: number) => drawBelow(bound, hash32(seed, ++draws))
  const pick = <T>(choices: readonly T[]): T => choices[draw(choices.length)]
  const packages: string[] = []
  const contracts: string[] = []
  let refusals = 0
  const run = (player: number, action: string, params: object): object | undefined => {
    const def = registry.commands.get(`v2:game_shipping/${action}`)
    if (!def || !('run' in def)) throw new Error(action)
    if (def.needs.some((need) => need.check(world, player))) return undefined
    const before = small.hash()
    const outcome = def.run(world, player, params as never)
    if (typeof outcome === 'symbol') throw new Error(action)
    if (outcome.ok) return outcome.result as object
    refusals++
    if (small.hash() !== before) throw new Error(`${action}: ${outcome.code} changed something`)
    return undefined
  }
  const steps = [
    () => {
      const place = { kind: 'locker', player: shipper, base: origin } as const
      const package_id = aPackage(scene, place)
      packages.push(package_id)
      const answer = run(shipper, 'post', {
        package_id,
        destination_base_id: baseId(world, destination),
        base_reward: draw(2_000),
        speed_bonus: draw(300),
        insured: draw(2) === 0,
      }) as { contract: { id: string } } | undefined
      if (answer) contracts.push(answer.contract.id)
    },
    () => run(pick([carrier, third, shipper]), 'accept', { shipment_id: pick(contracts) }),
    () => run(pick([carrier, third]), 'deliver', { shipment_id: pick(contracts) }),
    () => run(pick([carrier, third]), 'return', { shipment_id: pick(contracts) }),
    () => run(shipper, 'cancel', { shipment_id: pick(contracts) }),
    () => run(pick([carrier, third]), 'pay_debt', { amount: 1 + draw(400) }),
    () => dockAt(world, pick([carrier, third]), pick([origin, destination])),
    () => {
      const package_id = pick(packages)
      const pkg = packageById(world, package_id)
      const isOut = pkg !== 0 && world.read(Package).kind[pkg] <= 1
      if (isOut && draw(4) > 0) load(scene, pick([carrier, third]), package_id)
      else if (isOut) destroyPackage(world, pkg, 'destroyed')
    },
  ]
  steps[0]()
  for (let i = 0; i < STEPS; i++) {
    pick(steps)()
    expect(sumOfAccounts(scene)).toBe(0n)
    if (i % 55 !== 54) continue
    const row = 1 + draw(world.highOf(Shipment))
    if (world.read(Shipment).alive[row] === 1 && world.read(Shipment).endedTick[row] === 0) {
      comeDue(scene, row)
    }
    // A tick checks every invariant.
    small.ticks(1)
  }
  expect(refusals).toBeGreaterThan(10)
  expect(contracts.length).toBeGreaterThan(5)
})
