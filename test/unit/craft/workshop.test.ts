/** Jobs of a workshop: ordering, progress, cancelling, quotes. Source: crafting.md 1 to 5. */
import { beforeEach, describe, expect, test } from 'vitest'
import { contentsOf, namedContainer } from '../../../core/goods.ts'
import type { Eid } from '../../../core/types.ts'
import { statOf } from '../../../systems/account/model.ts'
import { baseId } from '../../../systems/base/model.ts'
import { jobById } from '../../../systems/craft/model.ts'
import { Job } from '../../../systems/craft/state.ts'
import { jobsOf } from '../../../systems/craft/venue-model.ts'
import { levelOf, skillIndex, xpOf } from '../../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../../systems/skill/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { counted } from '../achievement/scene.ts'
import {
  act,
  bench,
  dockAt,
  done,
  INGOT,
  leave,
  ORE,
  payloadsTo,
  refuses,
  type Scene,
  stored,
} from './scene.ts'

onSmallMap()

let scene: Scene
let ann: Eid
let bob: Eid

beforeEach(async () => {
  scene = await bench()
  ;[ann, bob] = scene.players
})

const order = (params: object = {}, player = ann) =>
  done(scene, player, { recipe_id: 'smelt_iron', ...params })
const progressOf = (id: string): number => scene.world.read(Job).progress[jobById(scene.world, id)]

describe('craft orders a job', () => {
  test('that reserves its inputs at once and reports its venue and progress', () => {
    const ordered = order({ quantity: 100 })
    expect(ordered).toMatchObject({
      action: 'craft',
      kind: 'job',
      mode: 'craft',
      recipe: 'smelt_iron',
      runs: 100,
      facility_id: '',
      venue_type: 'workshop',
      external: false,
      effective_time_per_run: 0.26,
      produces: [{ item_id: 'iron_ingot', quantity: 100 }],
      escrowed: { inputs: [{ item_id: 'iron_ore', quantity: 200 }], labor: 0, fee: 0 },
    })
    // Three runs of 260 thousandths were done in the tick of the order, which has 1,000.
    expect(stored(scene, ann, ORE)).toBe(800)
    expect(stored(scene, ann, INGOT)).toBe(3)
    expect(progressOf(ordered.job_id)).toBe(220)
  })

  test('of one unit by default, and of `count` units otherwise', () => {
    expect(order()).toMatchObject({ runs: 1 })
    expect(order({ count: 3 })).toMatchObject({ runs: 3 })
    refuses(scene, ann, { recipe_id: 'smelt_iron', quantity: 2, count: 3 }, 'invalid_payload')
  })

  test('that ends in due time and stores exactly its outputs', () => {
    const { job_id } = order({ quantity: 10 })
    scene.small.ticks(1)
    expect(stored(scene, ann, INGOT)).toBe(7)
    scene.small.ticks(1)
    expect(stored(scene, ann, INGOT)).toBe(10)
    expect(jobById(scene.world, job_id)).toBe(0)
    expect(stored(scene, ann, ORE)).toBe(980)
  })

  test('that passes the rest of a tick to the next job', () => {
    order({ quantity: 1 })
    scene.small.ticks(1)
    const ticks = scene.world.tick
    const first = done(scene, ann, {
      jobs: [{ recipe_id: 'smelt_iron' }, { recipe_id: 'smelt_iron', quantity: 9 }],
    })
    expect(scene.world.tick).toBe(ticks + 1)
    // The first job takes 260 of the tick, and its other 740 hold two runs of the second.
    expect(stored(scene, ann, INGOT)).toBe(1 + 1 + 2)
    const [, second] = first.results as { job_id: string }[]
    expect(progressOf(second.job_id)).toBe(740 - 520)
  })

  test('at a speed that skill raises', () => {
    const { level } = scene.world.write(PlayerSkills)
    level[ann * SKILLS_WIDTH + skillIndex('refining')] = 50
    expect(levelOf(scene.world, ann, 'refining')).toBe(50)
    expect(order({ quantity: 100 })).toMatchObject({ effective_time_per_run: 0.124 })
    expect(stored(scene, ann, INGOT)).toBe(8)
  })

  test('one after the other, in a workshop of each player', () => {
    order({ quantity: 100 })
    order({ quantity: 100 })
    const before = stored(scene, ann, INGOT)
    order({ quantity: 100 }, bob)
    expect(stored(scene, bob, INGOT)).toBe(3)
    expect(stored(scene, ann, INGOT) - before).toBeLessThanOrEqual(4)
    expect(jobsOf(scene.world, ann)).toHaveLength(2)
  })

  test('that gives experience and is reported once a tick', () => {
    scene.small.takeEmissions()
    order({ quantity: 5 })
    const xp = xpOf(scene.world, ann, 'refining')
    expect(xp).toBeGreaterThanOrEqual(3)
    expect(xpOf(scene.world, ann, 'crafting')).toBe(0)
    expect(statOf(scene.world, ann, 'items_crafted')).toBe(3)
    expect(counted(scene.world, ann, 'facility_items_produced')).toBe(0)
    const emissions = payloadsTo(scene, scene.small.takeEmissions(), ann, 'crafting_update')
    expect(emissions).toHaveLength(1)
    expect(emissions[0]).toMatchObject({
      tick: scene.world.tick,
      jobs: [
        {
          recipe: 'smelt_iron',
          mode: 'craft',
          storage: 'storage',
          deposited: [{ item_id: 'iron_ingot', quantity: 3 }],
          runs_done: 3,
          runs_remaining: 2,
          completed: false,
          escrowed_credits: 0,
          external: false,
        },
      ],
    })
    scene.small.ticks(1)
    const [last] = payloadsTo(scene, scene.small.takeEmissions(), ann, 'crafting_update')
    expect(last).toMatchObject({ jobs: [{ runs_done: 5, runs_remaining: 0, completed: true }] })
    scene.small.ticks(1)
    expect(payloadsTo(scene, scene.small.takeEmissions(), ann, 'crafting_update')).toEqual([])
  })

  test('whose inputs go to the consumption account', () => {
    const used = () =>
      contentsOf(scene.world, namedContainer('consumption')).find(({ item }) => item === ORE)
    const before = used()?.units ?? 0
    const ore = stored(scene, ann, ORE)
    order({ quantity: 2 })
    expect(ore - stored(scene, ann, ORE)).toBe(4)
    // Stations may have used some in the same tick.
    expect((used()?.units ?? 0) - before).toBeGreaterThanOrEqual(4)
  })
})

describe('a workshop', () => {
  test('pauses its job while its owner is not docked there', () => {
    const { job_id } = order({ quantity: 100 })
    leave(scene.world, ann)
    const [progress, ingots] = [progressOf(job_id), stored(scene, ann, INGOT)]
    scene.small.ticks(5)
    expect([progressOf(job_id), stored(scene, ann, INGOT)]).toEqual([progress, ingots])
    const queue = act(scene, ann, 'craft', { action: 'queue' })
    expect(queue).toMatchObject({ ok: true, result: { jobs: [{ job_id, status: 'paused' }] } })
    dockAt(scene.world, ann, scene.base)
    scene.small.ticks(1)
    expect(stored(scene, ann, INGOT)).toBeGreaterThan(ingots)
  })

  test('is the same after a restart', async () => {
    order({ quantity: 100 })
    order({ quantity: 40 }, bob)
    const copy = await scene.small.reload()
    expect(copy.hash()).toBe(scene.small.hash())
    for (const world of [copy, scene.small]) world.ticks(20)
    expect(copy.hash()).toBe(scene.small.hash())
    expect(stored(scene, bob, INGOT)).toBe(40)
  })
})

describe('cancelling', () => {
  test('refunds the inputs of open runs, from anywhere', () => {
    const { job_id } = order({ quantity: 100 })
    leave(scene.world, ann)
    expect(act(scene, ann, 'craft', { job_id })).toMatchObject({
      ok: true,
      result: {
        action: 'job_cancel',
        kind: 'cancel',
        job_id,
        refunded: { inputs: [{ item_id: 'iron_ore', quantity: 194 }], labor: 0, fee: 0 },
      },
    })
    expect(stored(scene, ann, ORE)).toBe(1_000 - 6)
    refuses(scene, ann, { job_id }, 'job_not_found')
  })

  test('handles each of several jobs independently', () => {
    const [mine, theirs] = [order({ quantity: 100 }), order({ quantity: 100 }, bob)]
    const outcome = act(scene, ann, 'craft', {
      action: 'cancel',
      job_ids: [mine.job_id, theirs.job_id, 'nonsense'],
    })
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        kind: 'bulk_cancel',
        mode: 'bulk',
        results: [
          { job_id: mine.job_id, success: true },
          { job_id: theirs.job_id, success: false, error_code: 'not_your_job' },
          { job_id: 'nonsense', success: false, error_code: 'job_not_found' },
        ],
        summary: { total: 3, succeeded: 1, failed: 2 },
      },
    })
    expect(jobsOf(scene.world, bob)).toHaveLength(1)
  })

  test('is refused for jobs of others', () => {
    const { job_id } = order({ quantity: 100 }, bob)
    refuses(scene, ann, { job_id }, 'not_your_job')
    refuses(scene, ann, { job_id, deliver_to: 'storage' }, 'not_your_job')
    refuses(scene, ann, { job_id: 'nonsense', deliver_to: 'storage' }, 'job_not_found')
  })

  test('also works with the recycle command', () => {
    const { job_id } = order({ quantity: 100 })
    expect(act(scene, ann, 'recycle', { job_id })).toMatchObject({ ok: true })
  })
})

test('a job can be given another destination for its remaining outputs', () => {
  const { job_id } = order({ quantity: 100 })
  expect(act(scene, ann, 'craft', { job_id, deliver_to: 'storage' })).toMatchObject({
    ok: true,
    result: { kind: 'retarget', job_id, old_destination: 'storage', new_destination: 'storage' },
  })
  refuses(scene, ann, { job_id, deliver_to: 'the moon' }, 'invalid_payload')
})

describe('the queue', () => {
  test('lists jobs with the soonest first', () => {
    order({ quantity: 100 })
    order({ quantity: 50 })
    const tick = scene.world.tick
    const outcome = act(scene, ann, 'craft')
    expect(scene.world.tick).toBe(tick)
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        action: 'queue',
        kind: 'queue',
        total_jobs: 2,
        jobs: [
          {
            status: 'running',
            position: 1,
            runs_total: 100,
            base_id: baseId(scene.world, scene.base),
            orderer: 'Tester 1',
            mode: 'craft',
          },
          { status: 'queued', position: 2, runs_total: 50, runs_done: 0 },
        ],
      },
    })
    const { jobs } = (outcome.ok ? outcome.result : {}) as { jobs: { eta_ticks: number }[] }
    // 24 ticks of 1,000 thousandths for 93 runs of 260, then 13 more ticks for 50 runs.
    expect(jobs.map(({ eta_ticks }) => eta_ticks)).toEqual([24, 37])
    scene.small.ticks(24)
    expect(jobsOf(scene.world, ann)).toHaveLength(1)
    scene.small.ticks(13)
    expect(jobsOf(scene.world, ann)).toHaveLength(0)
  })

  test('is empty without jobs', () => {
    expect(act(scene, ann, 'craft', { action: 'queue' })).toMatchObject({
      ok: true,
      result: { total_jobs: 0, jobs: [] },
    })
  })
})

describe('a quote', () => {
  test('costs no tick, changes nothing and describes what an order would do', () => {
    const [hash, tick] = [scene.small.hash(), scene.world.tick]
    const quoted = act(scene, ann, 'craft', { recipe_id: 'smelt_iron', quantity: 7, dry_run: true })
    expect(quoted).toMatchObject({
      ok: true,
      result: {
        kind: 'quote',
        dry_run: true,
        quantity: 7,
        runs: 7,
        have_inputs: true,
        have_credits: true,
        have_capacity: true,
        credits_total: 0,
        cost: { inputs: [{ item_id: 'iron_ore', quantity: 14 }] },
      },
    })
    expect([scene.small.hash(), scene.world.tick]).toEqual([hash, tick])
    const { venue, runs, effective_time_per_run, produces } = order({ quantity: 7 })
    expect(quoted.ok && quoted.result).toMatchObject({
      venue,
      runs,
      effective_time_per_run,
      produces,
    })
  })

  test('reports missing inputs', () => {
    const params = { recipe_id: 'smelt_iron', quantity: 501, dry_run: true }
    expect(act(scene, ann, 'craft', params)).toMatchObject({
      ok: true,
      result: { have_inputs: false, have_credits: true },
    })
  })

  test('requires a dock and a single job', () => {
    refuses(scene, ann, { jobs: [{ recipe_id: 'smelt_iron' }], dry_run: true }, 'dry_run_bulk')
    leave(scene.world, ann)
    refuses(scene, ann, { recipe_id: 'smelt_iron', dry_run: true }, 'not_docked')
    refuses(scene, ann, { recipe_id: 'smelt_iron', dry_run: true }, 'not_docked', 'recycle')
  })
})

describe('many orders at once', () => {
  test('are executed independently, in the given order', () => {
    const { results, summary } = done(scene, ann, {
      jobs: [
        { recipe_id: 'smelt_iron', quantity: 400 },
        { recipe_id: 'alchemy' },
        { recipe_id: 'smelt_iron', quantity: 101 },
        { recipe_id: 'smelt_iron', quantity: 100 },
      ],
    })
    expect(results).toMatchObject([
      { index: 0, success: true, runs: 400 },
      { index: 1, success: false, error_code: 'unknown_recipe' },
      { index: 2, success: false, error_code: 'missing_materials' },
      { index: 3, success: true, runs: 100 },
    ])
    expect(summary).toEqual({ total: 4, succeeded: 2, failed: 2 })
  })
})
