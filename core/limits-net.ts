/** Limits of the wire: frames, connections, sessions; the others are in limits.ts. */

/* Frames (DESIGN 5) */
export const FRAME_BYTES_MAX = 512 * 1024
export const FRAME_BYTES_BEFORE_LOGIN_MAX = 16 * 1024
/** The parser itself cuts a message off here. */
export const PARSER_BYTES_MAX = 1024 * 1024
export const BYTES_PER_SECOND_MAX = 1024 * 1024
export const FRAMES_PER_SECOND_MAX = 100
/** Frames that may come at once before any has to wait. */
export const FRAMES_BURST_MAX = 300
/** Frames or requests of one client that may wait beyond the burst, and their bytes. */
export const FRAMES_WAITING_MAX = 1_000
export const BYTES_WAITING_MAX = 1024 * 1024
/** A frame that waits counts as at least this many bytes. */
export const FRAME_BYTES_WAITING_MIN = 100
/** Refusals in a row after which a flooding connection is closed with 4003. */
export const REFUSALS_IN_A_ROW_MAX = 10_000
/** Commands of one connection that may be unanswered; beyond that it is not read. */
export const UNANSWERED_MAX = 64
export const OUTBOUND_FRAMES_MAX = 1_024
export const OUTBOUND_BYTES_MAX = 4 * 1024 * 1024
export const OUTBOUND_STALL_MS = 10_000
/** Every byte leaves within twice this time: reading a little now and then does not count. */
export const OUTBOUND_DRAIN_MS = 30_000
/**
 * Bytes the socket library may still hold when a socket is closed with a code: it keeps them for
 * some 20 s. With more, the socket is cut off.
 */
export const OUTBOUND_LINGER_BYTES_MAX = 512 * 1024
/** Pings in a row beyond the flood guard after which a socket is closed: nothing answers them. */
export const PINGS_REFUSED_MAX = 1_000
/** Recipients of a batch, or milliseconds of publishing it, before other work gets a turn. */
export const PUBLISH_SLICE_SOCKETS = 500
export const PUBLISH_SLICE_MS = 10
/** How long the world computes a tick before a query has its turn. */
export const COMPUTE_SLICE_MS = 4
/** How long the world prepares what a batch publishes before a query has its turn. */
export const FINISH_SLICE_MS = 5
/** Answers and events that the world sends to main together before their batch is durable. */
export const MESSAGES_AHEAD = 128
/** Longest slice of either kind: one may last as long as the queries before it took, up to this. */
export const LONG_SLICE_MS = 50
/** Commands in one message to the world: it works on them while main still reads the next. */
export const SUBMIT_SLICE_COMMANDS = 64
export const NOTIFICATIONS_MAX = 100

/* Bodies and answers in progress (RELIABILITY 5, A1-A5) */
/** A chunk counts as at least this many bytes in its sender's rate, since each costs a call. */
export const BODY_CHUNK_BYTES_MIN = 256
/** How long an address that exceeded the rate of bodies may send none. */
export const SHUT_BODIES_MS = 1_000
/** Bodies sent meanwhile that are answered with a refusal; the others are cut off unread. */
export const SHUT_REFUSALS_MAX = 8
/** From the head of a request to the end of its body. */
export const BODY_WHOLE_MS = 15_000
export const BODY_BYTES_UNDER_WAY_PER_ADDRESS_MAX = 4 * 1024 * 1024
export const BODY_BYTES_UNDER_WAY_MAX = 32 * 1024 * 1024
/** A refused body of at most this length is read to its end and discarded; others are cut off. */
export const BODY_BYTES_DISCARDED_MAX = 4 * 1024 * 1024
/** Bytes that wait in this process for clients that do not read: sockets and answers together. */
export const UNREAD_BYTES_PER_ADDRESS_MAX = 16 * 1024 * 1024
export const UNREAD_BYTES_MAX = 64 * 1024 * 1024
/** From an answer's first byte to its last. */
export const ANSWER_WHOLE_MS = 60_000
/** Bytes of a long answer that the socket library is given at once. */
export const ANSWER_PIECE_BYTES = 64 * 1024
/**
 * HTTP requests of a login, or of an address without one: far more than 200 players of one host
 * send, far fewer than fill a core. The next DOOR_REFUSALS_MAX are answered with 429, further ones
 * are cut off. A burst may come in one read of the sockets, before anybody else has a turn.
 */
export const DOOR_REQUESTS_PER_SECOND_MAX = 2_000
export const DOOR_REQUESTS_BURST_MAX = 1_000
export const DOOR_REFUSALS_MAX = 100
/** Answers without a body: the socket library buffers them if unread, and does not report it. */
export const BARE_ANSWERS_PER_SECOND_MAX = 20
export const BARE_ANSWERS_BURST_MAX = 200
/** MCP calls without a login that may wait for a rate limit, per address. */
export const MCP_WAITS_PER_ADDRESS_MAX = 20
/** Calls of a player that may wait for a rate limit; their parameters are kept meanwhile. */
export const MCP_WAITS_PER_PLAYER_MAX = 8
/** Archive reads of a player that run at once; the others of the player wait for them. */
export const ARCHIVE_READS_PER_PLAYER_MAX = 4

/* The public feed (WEB 2): what its readers may take, whatever LIMITS says */
export const WATCHERS_MAX = 5_000
export const WATCHERS_PER_ADDRESS_MAX = 8
/** Active topics: those that somebody reads, or did within the ticks of a ring. */
export const WATCHED_BATTLES_MAX = 64
export const WATCHED_ITEMS_MAX = 256
export const WATCHED_SYSTEMS_MAX = 256
/** A reader for whom more bytes wait, or who reads none of them for this long, is closed. */
export const WATCHER_UNSENT_BYTES_MAX = 256 * 1024
export const WATCHER_STALL_MS = 10_000
/** What a topic keeps for readers that come back. */
export const FEED_RING_TICKS = 60
export const FEED_RING_MESSAGES = 512
export const FEED_RING_BYTES = 512 * 1024
/** Past events that a new reader is sent. */
export const FEED_BACKLOG = 50
/** Silence after which a reader is sent a comment, to keep the connection open. */
export const FEED_HEARTBEAT_MS = 15_000
/** How long readers are asked to wait before they come back. */
export const FEED_RETRY_MS = 3_000

/** Ships of a battle that its topic lists each tick, and the approximate bytes of a message. */
export const BATTLE_TOPIC_SHIPS_MAX = 200
export const BATTLE_TOPIC_BYTES_MAX = 32 * 1024
/** Ticks that /api/ops reports, and slow ticks. */
export const OPS_TICKS_MAX = 600
export const OPS_SLOW_TICKS_MAX = 100

/* Connections and sessions (accounts.md 7, 10) */
export const AUTH_WINDOW_MS = 30_000
export const IDLE_MS = 60_000
export const PING_EVERY_MS = 20_000
export const SESSION_IDLE_MS = 30 * 60_000
export const SESSIONS_PER_PLAYER_MAX = 5
export const SESSIONS_MAX = 100_000
/** HTTP and MCP sessions without a login; beyond that, the longest unused ones end. */
export const STRANGERS_MAX = 5_000
/** The same for one address, and its MCP protocol sessions without a login. */
export const STRANGERS_PER_ADDRESS_MAX = 100
export const BLOCKED_REQUEST_MS = 600_000
export const LIMITER_KEYS_MAX = 100_000
export const SESSION_ATTEMPTS_PER_MINUTE = 30
/** Failed logins for one name from one address: others at the address are not affected. */
export const FAILED_LOGINS_PER_MINUTE = 10
/** Failed logins for one name from all addresses; each further attempt is slowed. */
export const FAILED_LOGINS_PER_NAME_AND_MINUTE = 30
/** How long a slowed attempt waits: well below the time in which clients give up (WIRE 1.2). */
export const SLOWED_LOGIN_MS = 2_000
export const CONNECTS_PER_MINUTE = 100
export const PUBLIC_REQUESTS_PER_MINUTE = 60
/** Downloads of one large document: the catalogue, each OpenAPI file. */
export const DOCUMENTS_PER_MINUTE = 1
export const SELF_DESTRUCTS_PER_MINUTE = 5
/** Twice what an address polls with all the open links it may have, at the stated interval. */
export const LINK_POLLS_PER_MINUTE = 240
export const IMMEDIATES_PER_MINUTE = 120
export const IMMEDIATE_TEXT_BYTES_PER_MINUTE = 4 * 1024 * 1024
/**
 * Rejections in 60 s that put an address into time-out, and the lengths of successive time-outs, in
 * minutes.
 */
export const REJECTIONS_BEFORE_TIMEOUT = 50
export const TIMEOUT_MINUTES = [2, 4, 8, 16, 30] as const
/** After this long without a rejection, the next time-out is the shortest again. */
export const TIMEOUT_RESET_MS = 30 * 60_000
export const PLAYERS_PER_ACCOUNT_MAX = 50
export const NEW_PLAYERS_PER_ADDRESS_AND_DAY = 200
export const DEVICE_LINKS_PER_ADDRESS_MAX = 10
/** API keys of an account, and characters of the name of one (ours: enough for every program). */
export const API_KEYS_PER_ACCOUNT_MAX = 10
export const API_KEY_NAME_CHARACTERS_MAX = 64
/** Logins by token a minute and player. Source: WIRE 8, item 2. */
export const TOKEN_LOGINS_PER_MINUTE = 10

/** Unknown commands a second that are answered with suggestions. */
export const SUGGESTIONS_PER_SECOND_MAX = 100

/* MCP (RELIABILITY 6) */
/** Protocol sessions without a login at each of /mcp, /mcp/v2 and /mcp/docs. */
export const MCP_UNBOUND_SESSIONS_MAX = 2_000
/** Bytes of the answer to one message. */
export const MCP_ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** Messages of one batch, and bytes of the answers to all of them. */
export const MCP_BATCH_MESSAGES_MAX = 64
export const MCP_BATCH_ANSWER_BYTES_MAX = 1024 * 1024
/** Interval of the search for clients whose login may have ended elsewhere. */
export const MCP_SWEEP_EVERY_MS = 60_000
/** How long a call of an MCP client waits for rate limits to pass, all its waits together. */
export const MCP_WAIT_SECONDS_MAX = 60
/** How often a waiting client that asked for progress is sent it. */
export const MCP_PROGRESS_EVERY_SECONDS = 5
/** Cached toolsets of /mcp/v2: presets are few, but clients send any list of exclusions. */
export const MCP_TOOLSETS_MAX = 64
export const MCP_EXCLUDE_CHARACTERS_MAX = 1_024
/** Limits of the texts about tools, in characters: they take room in a model's context. */
export const MCP_INSTRUCTIONS_CHARACTERS_MAX = 1_024
export const MCP_TOOL_NAME_CHARACTERS_MAX = 64
export const MCP_TOOL_DESCRIPTION_CHARACTERS_MAX = 8_192
export const MCP_TOOL_CHARACTERS_MAX = 24_576
export const MCP_TOOL_LIST_CHARACTERS_MAX = 262_144
/** /mcp/docs: characters of a word or name searched for, and how much is listed at once. */
export const MCP_DOCS_TEXT_CHARACTERS_MAX = 256
export const MCP_DOCS_COMMANDS_MAX = 30
export const MCP_DOCS_TYPES_MAX = 200
