/**
 * What a tick's completed runs are told and taught: collected while the queues are worked on, sent
 * once a player. Source: crafting.md sections 2 (XP), 5 (Events).
 */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { baseId, baseName } from '../base/model.ts'
import { labelOf } from '../cargo/model.ts'
import { packageId } from '../cargo/rules.ts'
import { recordFactionLog } from '../faction/model.ts'
import { awardXp } from '../skill/rules.ts'
import { creditsHeld, jobId, targetOf } from './model.ts'
import { craftingUpdate } from './schemas.ts'
import {
  CRAFT,
  EXTERNAL,
  Job,
  MODES,
  PRODUCED,
  REPORTS,
  type Report,
  UNPACK,
  type Update,
  WORKSHOP_XP_PER_TICK_MAX,
} from './state.ts'
import { recipeRow, skillOfRecipe, storeName, type Units, xpOfRun } from './store-model.ts'
import { venueName } from './venue-model.ts'

/** XP of engineering of a run that makes a component. Source: missions.md section 5. */
const COMPONENT_XP = 2

function reportFor(world: World, player: Eid): Report {
  const reports = world.index(REPORTS)
  let found = reports.get(player)
  if (!found) {
    found = { jobs: new Map(), xp: { refining: 0, crafting: 0, engineering: 0 } }
    reports.set(player, found)
  }
  return found
}

function begin(world: World, job: Row): Update {
  const { recipe, mode, facility, base, lane, pkg } = world.read(Job)
  return {
    job_id: jobId(world, job),
    recipe: recipeRow(recipe[job]).id,
    mode: MODES[mode[job]],
    venue: venueName(world, facility[job], base[job]),
    storage: storeName(world, base[job], targetOf(world, job)),
    deposited: new Map(),
    runs_done: 0,
    runs_remaining: 0,
    escrowed_credits: 0,
    completed: false,
    external: lane[job] === EXTERNAL,
    ...(pkg[job] === 0 || mode[job] === UNPACK
      ? {}
      : {
          output_package_id: packageId(world, pkg[job]),
          output_package_label: labelOf(world, pkg[job]),
        }),
  }
}

/** Notes runs of a job that have just been counted, with what they gave. */
export function recordRuns(world: World, job: Row, runs: number, outputs: readonly Units[]): void {
  const { player, recipe, mode, facility, runsDone, runsTotal } = world.read(Job)
  const { jobs, xp } = reportFor(world, player[job])
  let update = jobs.get(job)
  if (!update) {
    update = begin(world, job)
    jobs.set(job, update)
  }
  for (const { item, units } of outputs) {
    update.deposited.set(item, (update.deposited.get(item) ?? 0) + units)
  }
  recordProduced(world, job, outputs)
  const { labor, fee } = creditsHeld(world, job)
  update.runs_done = runsDone[job]
  update.runs_remaining = runsTotal[job] - runsDone[job]
  update.completed = update.runs_remaining === 0
  update.escrowed_credits = labor + fee
  // the own hands at the own bench learn, rented machines do not
  if (facility[job] === 0 && mode[job] === CRAFT) {
    xp[skillOfRecipe(recipe[job])] += runs * xpOfRun(recipe[job])
    if (recipeRow(recipe[job]).category === 'components') xp.engineering += runs * COMPONENT_XP
  }
}

/** Notes what a job has put into a store of a faction. */
function recordProduced(world: World, job: Row, outputs: readonly Units[]): void {
  const { faction } = targetOf(world, job)
  if (faction === 0 || outputs.length === 0) return
  const { player, base } = world.read(Job)
  const key = `${faction}:${base[job]}`
  const produced = world.index(PRODUCED)
  const found = produced.get(key)
  const { made } = found ?? { made: new Map<number, number>() }
  if (!found) produced.set(key, { faction, base: base[job], actor: player[job], made })
  for (const { item, units } of outputs) made.set(item, (made.get(item) ?? 0) + units)
}

/** One line a tick in the log of a faction for all that was made for it at a base. */
function logProduced(world: World): void {
  const produced = world.index(PRODUCED)
  for (const { faction, base, actor, made } of produced.values()) {
    const items = [...made].map(([item, quantity]) => ({ item_id: GOODS[item].id, quantity }))
    const what = [...made].map(([item, units]) => `${units} ${GOODS[item].name}`).join(', ')
    recordFactionLog(world, faction, actor, {
      verb: 'production_cycle',
      summary: `Made at ${baseName(world, base)}: ${what}.`,
      data: { base_id: baseId(world, base), items: JSON.stringify(items) },
    })
  }
  produced.clear()
}

const told = (update: Update) => ({
  ...update,
  deposited: [...update.deposited].map(([item, quantity]) => ({
    item_id: GOODS[item].id,
    item_name: GOODS[item].name,
    quantity,
  })),
})

/** Gives the experience of the tick and tells each player what was done for them. */
export function notifyReports(world: World): void {
  const reports = world.index(REPORTS)
  for (const [player, { jobs, xp }] of reports) {
    const refining = Math.min(xp.refining, WORKSHOP_XP_PER_TICK_MAX)
    const crafting = Math.min(xp.crafting, WORKSHOP_XP_PER_TICK_MAX - refining)
    if (refining > 0) awardXp(world, player, 'refining', refining)
    if (crafting > 0) awardXp(world, player, 'crafting', crafting)
    const engineering = Math.min(xp.engineering, WORKSHOP_XP_PER_TICK_MAX)
    if (engineering > 0) awardXp(world, player, 'engineering', engineering)
    const payload = { tick: world.tick, jobs: [...jobs.values()].map(told) }
    emit(world, craftingUpdate, payload, toPlayer(player))
  }
  reports.clear()
  logProduced(world)
}
