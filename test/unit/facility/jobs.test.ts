/** The job queue of a facility: adding, listing, reordering and cancelling jobs, and their rent. */
import { beforeEach, describe, expect, it } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { storedUnits } from '../../../systems/cargo/model.ts'
import { JOBS_LISTED_MAX } from '../../../systems/craft/state.ts'
import { jobsAt, jobsOf, liveJobsOf } from '../../../systems/craft/venue-model.ts'
import { changeState } from '../../../systems/facility/lifecycle-rules.ts'
import { facilityId, playerOwner } from '../../../systems/facility/model.ts'
import { leaveToStations, repossess } from '../../../systems/facility/rent-systems.ts'
import { DAMAGED, Facility, PUBLIC } from '../../../systems/facility/state.ts'
import { shipOf } from '../../../systems/travel/location-model.ts'
import { undockShip } from '../../../systems/travel/rules.ts'
import { onSmallMap } from '../../small-world.ts'
import { does, enrich, refuses, type Scene, scene, standing, store } from './scene.ts'

onSmallMap()

let s: Scene
let row: Row
let facility_id: string
beforeEach(async () => {
  s = await scene()
  row = standing(s, 'smelter', s.owner)
  facility_id = facilityId(s.small.world, row)
  s.small.world.write(Facility).access[row] = PUBLIC
  s.small.world.write(Facility).priceMilli[row] = 2_000
  for (const player of [s.owner, s.other]) store(s.small, player, s.base, { iron_ore: 12_000 })
})

const add = (player: Eid, quantity: number): string =>
  String(
    does(s.small, player, 'job_add', { facility_id, recipe_id: 'smelt_iron', quantity }).job_id,
  )
const ask = (player: Eid, action: string, params: object = {}) =>
  s.small.ask(player, 'facility', { action, ...params }) as never as {
    code?: string
    result: Record<string, unknown>
  }
const list = (player: Eid) =>
  ask(player, 'job_list', { facility_id }).result as {
    total_jobs: number
    jobs: { job_id: string; external: boolean; position: number }[]
  }
const jobIds = (): string[] => list(s.owner).jobs.map(({ job_id }) => job_id)
const wealth = (player: Eid): number[] => [
  balanceOf(s.small.world, walletOf(s.small.world, player)),
  storedUnits(s.small.world, player, s.base, itemIndex('iron_ore')),
]

describe('facility job_add', () => {
  it('queues jobs in this facility, and a stranger pays rent', () => {
    const { small, owner, other } = s
    const params = { facility_id, recipe_id: 'smelt_iron', quantity: 2_000 }
    const rented = does(small, other, 'job_add', params)
    expect(rented).toMatchObject({ action: 'job_add', kind: 'job', facility_id, external: true })
    expect(rented.escrowed).toMatchObject({ fee: 4_000 })
    const own = does(small, owner, 'job_add', params)
    expect(own).toMatchObject({ external: false, escrowed: { fee: 0 } })
    expect(list(owner)).toMatchObject({
      action: 'job_list',
      total_jobs: 2,
      venue: 'Smelter',
    })
  })

  it('is refused like craft, and for an unknown direction', () => {
    const { small, owner, other } = s
    const job = (overrides: object) =>
      ['job_add', { facility_id, recipe_id: 'smelt_iron', ...overrides }] as const
    refuses(small, owner, job({ direction: 'to_player' }), 'invalid_payload')
    refuses(small, owner, job({ recipe_id: 'no_such' }), 'unknown_recipe')
    refuses(small, owner, job({ facility_id: 'x' }), 'facility_not_found')
    refuses(small, owner, job({ direction: 'reverse' }), 'no_recycler')
    refuses(small, owner, job({ quantity: 7_000 }), 'missing_materials')
    refuses(small, owner, job({ items: [{ item_id: 'iron_ore', quantity: 1 }] }), 'invalid_payload')
    refuses(small, owner, ['job_add', { facility_id }], 'invalid_payload')
    changeState(small.world, row, { status: DAMAGED })
    refuses(small, owner, job({}), 'facility_offline')
    small.world.write(Facility).access[row] = 0
    refuses(small, other, job({}), 'facility_private')
    expect(ask(other, 'job_list', { facility_id }).code).toBe('facility_private')
    expect(ask(owner, 'job_list', { facility_id: 'x' }).code).toBe('facility_not_found')
  })
})

describe('facility job_cancel', () => {
  it('refunds the open runs of one job or of several, from anywhere', () => {
    const { small, other } = s
    const before = wealth(other)
    const first = add(other, 2_000)
    // The first job has begun, while the second waits and is refunded in full.
    const second = add(other, 100)
    undockShip(small.world, shipOf(small.world, other))
    expect(does(small, other, 'job_cancel', { job_id: second })).toMatchObject({
      kind: 'cancel',
      refunded: { fee: 200 },
    })
    const made = () => storedUnits(small.world, other, s.base, itemIndex('iron_ingot'))
    does(small, other, 'job_cancel', { job_ids: [first] })
    expect(jobsOf(small.world, other)).toEqual([])
    const [credits, ore] = wealth(other)
    // Each run that was done cost 2 of wages and 2 of rent.
    expect(before[0] - credits).toBe(4 * made())
    expect(before[1] - ore).toBe(ORE_A_RUN * made())
  })

  const ORE_A_RUN = 2

  it('is refused to anyone but the player who ordered the job', () => {
    const { small, owner, other } = s
    const job_id = add(other, 2_000)
    refuses(small, owner, ['job_cancel', { job_id }], 'not_your_job')
    refuses(small, owner, ['job_cancel', { job_id: 'x' }], 'job_not_found')
    refuses(small, owner, ['job_cancel', {}], 'invalid_payload')
    refuses(small, owner, ['job_cancel', { job_id, job_ids: [job_id] }], 'invalid_payload')
  })
})

describe('facility job_reorder', () => {
  it('sorts own jobs and leaves those of others in their places', () => {
    const { small, owner, other } = s
    const third = small.join('Third')
    small.world.write(Facility).priceMilli[row] = 0
    enrich(small, third, 10_000)
    store(small, third, s.base, { iron_ore: 12_000 })
    const [a, b] = [add(owner, 3_000), add(owner, 1_000)]
    const c = add(other, 500)
    const d = add(third, 500)
    const e = add(other, 400)
    expect(jobIds()).toEqual([a, b, c, d, e])
    const moved = does(small, other, 'job_reorder', { facility_id, job_id: e, position: 1 })
    // The two jobs of this player change places; the one between them stays.
    expect(moved).toMatchObject({ action: 'job_reorder', job_id: e, position: 1 })
    expect(jobIds()).toEqual([a, b, e, d, c])
    const last = does(small, other, 'job_reorder', { facility_id, job_id: e, position: 9 })
    expect(last).toMatchObject({ position: 3 })
    expect(jobIds()).toEqual([a, b, c, d, e])
    expect(does(small, owner, 'job_reorder', { facility_id, job_id: b })).toMatchObject({
      position: 1,
    })
    // The job that has begun is listed first until its run is over.
    expect(jobsAt(small.world, row)).toHaveLength(5)
  })

  it('is refused for jobs of others, even to the owner of the facility', () => {
    const { small, owner, other } = s
    const job_id = add(other, 2_000)
    refuses(small, owner, ['job_reorder', { facility_id, job_id }], 'not_your_job')
    refuses(small, other, ['job_reorder', { facility_id, job_id: 'x' }], 'job_not_found')
    refuses(small, other, ['job_reorder', { facility_id: 'x', job_id }], 'facility_not_found')
    const next = facilityId(small.world, standing(s, 'smelter', owner))
    refuses(small, other, ['job_reorder', { facility_id: next, job_id }], 'job_not_found')
  })
})

describe('facilities with jobs', () => {
  it('list their backlog in runs, units and ticks', () => {
    const { small, owner } = s
    const entry = () =>
      (ask(owner, 'list').result.player_facilities as { production: object }[])[0].production
    expect(entry()).toMatchObject({ backlog_ticks: 0, queued_items: 0, queued_runs: 0 })
    add(owner, 2_000)
    const left = list(owner).jobs[0] as unknown as { runs_remaining: number; eta_ticks: number }
    expect(left.runs_remaining).toBeGreaterThan(0)
    expect(entry()).toMatchObject({
      backlog_ticks: left.eta_ticks,
      queued_items: left.runs_remaining,
      queued_runs: left.runs_remaining,
    })
    expect(list(owner).jobs.length).toBeLessThanOrEqual(JOBS_LISTED_MAX)
    expect(small.world.read(Facility).busy[row]).toBe(1)
  })

  it('can be neither sold, dismantled, transferred nor upgraded', () => {
    const { small, owner } = s
    add(owner, 4_000)
    const busy = [
      ['list_for_sale', { facility_id, price: 10 }],
      ['dismantle', { facility_id }],
      ['transfer', { facility_id, direction: 'to_faction' }],
      ['upgrade', { facility_id, facility_type: 'foundry' }],
    ] as const
    for (const call of busy) refuses(small, owner, call, 'facility_busy')
  })

  it('cancel and refund the jobs of strangers when set_access makes them private', () => {
    const { small, owner, other } = s
    add(owner, 3_000)
    const before = wealth(other)
    add(other, 1_000)
    expect(liveJobsOf(small.world, row)).toBe(2)
    does(small, owner, 'set_access', { facility_id, access: 'private' })
    expect(jobsOf(small.world, other)).toEqual([])
    expect(jobsOf(small.world, owner)).toHaveLength(1)
    expect(wealth(other)).toEqual(before)
  })

  it('refund their jobs when they fall to the station', () => {
    const { small, owner, other } = s
    const { world } = small
    add(owner, 3_000)
    const before = wealth(other)
    add(other, 1_000)
    repossess(world, s.base, playerOwner(owner), [row])
    expect(liveJobsOf(world, row)).toBe(0)
    expect(wealth(other)).toEqual(before)
    const next = standing(s, 'smelter', owner)
    does(small, owner, 'job_add', {
      facility_id: facilityId(world, next),
      recipe_id: 'smelt_iron',
      quantity: 3_000,
    })
    leaveToStations(world, [next])
    expect(jobsOf(world, owner)).toEqual([])
  })
})
