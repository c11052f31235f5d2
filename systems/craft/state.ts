/**
 * Jobs: what workshops and facilities make, take apart, pack and unpack; each holds its goods in a
 * container of its own. Source: crafting.md sections 2, 13.
 */
import { defineComponent, defineEntity, f64, ref, u8, u16, u32 } from '../../core/columns.ts'
import { ROWS } from '../../core/limits.ts'
import type { Eid, Row } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/state.ts'

export const JOBS_PER_PLAYER_MAX = 200
/** Maximum number of jobs of one player in a facility that is not theirs or their faction's. */
export const JOBS_PER_FOREIGN_FACILITY_MAX = 20
export const JOBS_PER_FACILITY_MAX = 1_000
export const JOB_RUNS_MAX = 10_000
/** Maximum ticks of work that a player may queue in a workshop. Source: balance.md section 10. */
export const BENCH_TICKS_MAX = 720
/** The same in a facility. */
export const LINE_TICKS_MAX = 1_440
/** Maximum units of output of one job. */
export const JOB_UNITS_MAX = 1_000_000
export const JOB_LABEL_CHARACTERS_MAX = 64
/** Maximum runs of a facility, or of a workshop, in a tick. */
export const JOB_RUNS_PER_TICK_MAX = 1_000
/** How many jobs of a queue are tried in a tick to find one whose outputs have room. */
export const JOBS_TRIED_MAX = 32
/** How many venues are compared for one job. */
export const VENUES_COMPARED_MAX = 200
/** Maximum number of jobs in an answer; `total_jobs` counts them all. */
export const JOBS_LISTED_MAX = 200
/** Maximum experience in crafting and refining together that workshops give a player in a tick. */
export const WORKSHOP_XP_PER_TICK_MAX = 500
/** The same in engineering. */
export const ENGINEERING_XP_PER_TICK_MAX = 200
/** Maximum number of packages that supply the inputs of one job. */
export const PACKAGES_BROUGHT_MAX = 50

/** Capacity of a package, and its size in a hold. Source: trade-storage.md sections 1, 5. */
export const PACKAGE_SIZE = 100

/** What a job does (append only). */
export const MODES = ['craft', 'recycle', 'pack', 'unpack'] as const
export const [CRAFT, RECYCLE, PACK, UNPACK] = [0, 1, 2, 3]

/** Stored status of a job; whether a running job is paused is computed (`statusOf`). */
export const QUEUED = 0
export const RUNNING = 1
/** Its next run lacks nothing but room for the outputs. */
export const BLOCKED = 2

/** Lane of a queue: the owner's and their faction's jobs, then those of others. */
export const INTERNAL = 0
export const EXTERNAL = 1

/** A job of one player by one recipe. */
export const Job = defineEntity('job', ROWS.jobs, {
  player: ref('player', 'who ordered it'),
  base: ref('base', 'where it is worked on'),
  facility: ref('facility', 'what works on it; 0 the workshop of the player'),
  recipe: u16('index into RECIPES', { catalog: 'recipes' }),
  mode: u8('index into MODES'),
  status: u8('0 queued, 1 running, 2 blocked'),
  lane: u8('0 internal, 1 external; a queue is in order of lane, then position'),
  position: u32('order in the lane, from 1; ties by seq'),
  runsTotal: u32('runs ordered'),
  runsDone: u32('runs completed'),
  need: u32('work of a run, thousandths of a tick at speed 1'),
  progress: u32('work done on the current run, thousandths'),
  laborEach: f64('labor of a run, credits'),
  fee: f64('rent of all runs, credits'),
  escrow: ref('container', 'inputs of the remaining runs; outputs that wait to be packed'),
  pkg: ref('package', 'what it packs or unpacks, or what its outputs go into; 0 none'),
  // Numbers, not rows: they stay valid for what no longer exists.
  fromFaction: f64('number of the faction whose store and treasury paid; 0 the player'),
  toFaction: f64('number of the faction whose store gets the outputs; 0 the player'),
  fromStore: f64('number of the bucket the inputs came from; 0 the main store, -1 the hold'),
  toStore: f64('number of the bucket the outputs go to; 0 the main store, -1 the hold'),
})

/** The credits that a base holds for its jobs. */
export const Bench = defineComponent(Base, 'bench', {
  escrow: ref('account', 'labor and rent of the remaining runs; 0 until the first job'),
})

/** The jobs of one facility or workshop. */
export interface Queue {
  /** The facility; 0 for a workshop. */
  readonly facility: Row
  /** Owner of a workshop; 0 for a facility. */
  readonly player: Eid
  readonly base: Row
  /** In order of lane, position and number. */
  readonly jobs: Row[]
  /** Work of the remaining runs, by lane; thousandths of a tick at speed 1. */
  readonly work: [number, number]
  /** The job marked as running; 0 none. */
  current: Row
}

interface Queues {
  /** By key of facility, or of player and base (`queueKey`). */
  readonly byKey: Map<number, Queue>
  /** Queues of facilities that have jobs, by number of the facility. */
  readonly facilities: Queue[]
  /** Queues of workshops that have jobs, by number of the player, then of the base. */
  readonly workshops: Queue[]
  /** Live jobs by player, in the order of their numbers. */
  readonly byPlayer: Map<Eid, Row[]>
}

/** Queues and jobs, derived from the table of jobs. */
export const QUEUES = defineIndex(
  'craft.queues',
  (): Queues => ({ byKey: new Map(), facilities: [], workshops: [], byPlayer: new Map() }),
)

/** Rent due by facility, credits. Emptied by `craft.settle` in the same tick. */
export const RENT_DUE = defineIndex('craft.rent', () => new Map<Row, number>())

/** What a job did in a tick, for its player. */
export interface Update {
  readonly job_id: string
  readonly recipe: string
  readonly mode: string
  readonly venue: string
  readonly storage: string
  /** Units by item. */
  readonly deposited: Map<number, number>
  runs_done: number
  runs_remaining: number
  escrowed_credits: number
  completed: boolean
  readonly external: boolean
  readonly output_package_id?: string
  readonly output_package_label?: string
}

/** What the jobs of a player did in a tick, and the experience for it. */
export interface Report {
  /** By row of the job, which is not reused within the tick. */
  readonly jobs: Map<Row, Update>
  readonly xp: { refining: number; crafting: number; engineering: number }
}

/** What the runs of a tick produced, by player. Emptied by `notifyReports` in the same tick. */
export const REPORTS = defineIndex('craft.reports', () => new Map<Eid, Report>())

interface Produced {
  readonly faction: Row
  readonly base: Row
  readonly actor: Eid
  /** Units by item. */
  readonly made: Map<number, number>
}

/** What a tick produced for factions, by faction and base. Emptied with REPORTS. */
export const PRODUCED = defineIndex('craft.produced', () => new Map<string, Produced>())
