/** Bounds of the jobs of workshops and facilities, with unit and reason. crafting.md 1, 2. */
export const JOBS_PER_PLAYER_MAX = 200
/** Of one player in a facility that is not his or his faction's. */
export const JOBS_PER_FOREIGN_FACILITY_MAX = 20
export const JOBS_PER_FACILITY_MAX = 1_000
export const JOB_RUNS_MAX = 10_000
/** Units of output of one job. */
export const JOB_UNITS_MAX = 1_000_000
export const JOB_LABEL_CHARACTERS_MAX = 64
/** Runs of one facility, or one workshop, in a tick. */
export const JOB_RUNS_PER_TICK_MAX = 1_000
/** Jobs of a queue looked at for one whose outputs have room: the rest waits. */
export const JOBS_TRIED_MAX = 32
/** Venues compared for one job. */
export const VENUES_COMPARED_MAX = 200
/** Jobs in an answer; `total_jobs` counts them all. */
export const JOBS_LISTED_MAX = 200
/** Experience of one workshop in a tick. */
export const WORKSHOP_XP_PER_TICK_MAX = 500
/** Packages that bring the inputs of one job. */
export const PACKAGES_BROUGHT_MAX = 50
