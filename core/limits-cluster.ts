/** Limits of what nodes of a world send each other. Source: SCALE 3. */

/** Commands that a process numbers before it needs another incarnation. */
export const REFS_OF_INCARNATION = 2 ** 28
/** Interval between two heartbeats of the leader. */
export const LEADER_BEAT_MS = 250
/** Interval between two heartbeats of a node, or two slices while it has no commands. */
export const NODE_BEAT_MS = 500
/** A node that is silent for this long is gone: its players are unbound. */
export const NODE_SILENCE_MS = 5_000
/** A node that is silent for this long is forgotten. */
export const NODE_FORGET_MS = 600_000
/** Pause after the answer to a slice: commands that come meanwhile share the next message. */
export const SLICE_PAUSE_MS = 5
/** How long a node waits for the answer to a slice before it sends it again. */
export const SLICE_TIMEOUT_MS = 1_000
export const SLICE_COMMANDS_MAX = 256
/** Bytes of the parameters of a slice; a larger command is sent alone. */
export const SLICE_BYTES_MAX = 262_144
/** Bytes of the parameters of a command: no frame of a client has more. */
export const COMMAND_BYTES_MAX = 524_288
/** Touches of queries that wait for the leader; further ones are dropped. */
export const TOUCHES_WAITING_MAX = 1_000
/** How long a node that ends waits for the outcome of the commands it has taken. */
export const LEAVE_MS_MAX = 2_000
/** Answers in one message, and their bytes; the others follow in the next. */
export const NODE_ANSWERS_MAX = 1_000
export const ANSWERS_BYTES_MAX = 524_288
/** Bytes of a part of a compressed journal row. */
export const ROW_PART_BYTES_MAX = 524_288
/** Bytes that NATS must accept in one message: a part of a row, or a command, with its envelope. */
export const MESSAGE_BYTES_MIN = 786_432
/** Rows that wait to be applied; further ones are read from the journal later. */
export const ROWS_QUEUED_MAX = 200
/** How often a node that is cut off from the bus reads new rows from the journal. */
export const ROWS_POLL_MS = 1_000
/** A node that has not heard the leader for this long reads new rows from the journal, too. */
export const LEADER_SILENCE_MS = 2_000
/** How long the right to lead lasts without being renewed, and how often the leader renews it. */
export const LEASE_MS = 3_000
export const LEASE_RENEW_MS = 1_000
/** Interval at which a standby reads the lease. */
export const LEASE_POLL_MS = 250
/** How long a standby that has just started leaves a free lease to others. */
export const LEASE_COURTESY_MS = 5_000
/** Archive rows of batches that a standby keeps until it knows that they are written. */
export const KEPT_ROWS_MAX = 200_000
/** A node whose replica has been behind the head for this long is not ready for players. */
export const CUT_OFF_MS = 10_000
/** Nodes that a leader takes commands from; beyond that, the oldest gone node is forgotten. */
export const NODES_MAX = 1_000
/** Nodes that are listed: those heard from last. */
export const NODES_HEARD_MAX = 1_000
