/**
 * A player of the simulation: connects, logs in, follows a plan or sends what comes to mind, leaves
 * and comes back. It decides only in its own step, from its own draws and from what it has read.
 */
import { type CommandDef, isMutation } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'
import type { Audit } from './audit.ts'
import type { FaultPlan } from './faults.ts'
import type { Front } from './front.ts'
import { openHttpPort } from './http-port.ts'
import { createKnowledge, type Knowledge, type Purpose } from './knowledge.ts'
import { createRequests, type Payload, type Requests, type Tally } from './requests.ts'
import { openSocketPort, type Port } from './socket.ts'
import type { Stage } from './stage.ts'

const EMPIRES = ['solarian', 'voidborn', 'crimson', 'nebula', 'outerrim'] as const
const CHANNELS = ['ws1', 'ws2', 'http1', 'http2'] as const
type Channel = (typeof CHANNELS)[number]

/** What a working player does, over and over. `travel:mine` and the like say what for. */
const PLANS: readonly string[] = [
  'get_system undock travel:mine mine mine mine mine get_cargo travel:base dock view_market sell',
  'get_system travel:mine mine mine mine get_cargo travel:base sell sell view_market buy refuel',
  'get_system travel:base dock view_market get_cargo sell create_sell_order buy create_buy_order',
  'travel:base get_cargo deposit_items view_storage withdraw_items get_cargo repair refuel undock',
  'get_system jump get_system travel:mine mine mine get_cargo jettison travel:base dock sell',
  'get_system jump get_nearby attack battle get_battle_status battle reload battle get_nearby attack',
  'get_system jump get_nearby attack get_battle_status battle battle get_battle_log jump repair',
  'get_status chat set_status get_chat_history captains_log_add captains_log_list chat',
]
/** How often a player acts in a step. */
const TURN_PCT = 28
const OPEN_MAX = 8
/** How often a player logs in anew, percent of turns: elsewhere too, where this node is slow. */
const MOVE_PCT = { alone: 1, nodes: 4, slow: 40 }
const PATIENCE_PCT = 97
const SPAM_MAX = 70
const SPAM_PCT = 6
/** How often a player thinks before they send, and of how many commands. */
const SENSE_PCT = 80
const THOUGHTS = 5
const ELSEWHERE = /^(not_docked|not_at_asteroid|no_resources|not_in_battle|no_base|in_combat)$/
const JUNK_FRAMES = ['', '{', '[]', 'null', '{"type":5}', '{"tool":{}}', '\u0000', '"x"']

export interface BotOptions {
  readonly name: string
  readonly dice: Dice
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly audit: Audit
  readonly tally: Tally
  /** Commands of this seed with their weights: a command stands as often as it weighs. */
  readonly commands: readonly CommandDef[]
  /** Plans go on even where a command of theirs is off in this seed. */
  readonly hasPlans: boolean
  readonly find: (name: string) => CommandDef | undefined
  /** The one to connect to, where there is a choice not `other`; undefined: none is there. */
  readonly front: (other?: Front) => Front | undefined
  readonly tick: () => number
  /** The server has several nodes. */
  readonly hasNodes?: boolean
}

export interface Bot {
  readonly name: string
  readonly requests: Requests
  /** One turn to act. */
  step(): void
  /** Goes to another node, where it is logged in on a socket. */
  move(): void
  /** Phase 2: only stays, and reads. */
  calm(): void
  /** A process has ended, or all of them. */
  cut(front?: Front): void
  port(): Port | undefined
  /** The batch at which it logged in on `port`; infinity while it has not. */
  readonly loginBatch: () => number
}

type Mood = 'worker' | 'random' | 'spammer'

interface State {
  readonly options: BotOptions
  readonly knowledge: Knowledge
  readonly requests: Requests
  readonly ip: string
  readonly channel: Channel
  readonly mood: Mood
  /** What the channel has of this seed's commands. */
  readonly commands: readonly CommandDef[]
  port: Port | undefined
  /** A newer connection that replaces `port` when it is logged in (I11). */
  newer: Port | undefined
  /** Those that were replaced, and that their node has yet to close. */
  replaced: Port[]
  password: string | undefined
  isLoggedIn: boolean
  loginBatch: number
  isAuthenticating: boolean
  goal: readonly string[]
  at: number
  /** User names given up. */
  names: number
  /** The server does not know the session any more. */
  isExpired: boolean
  isCalm: boolean
}

function onLogin(state: State, port: Port | undefined, payload: Payload): void {
  if (typeof payload.password === 'string') state.password = payload.password
  state.isAuthenticating = false
  state.isLoggedIn = true
  state.loginBatch = port?.front.link.state().batch ?? 0
  if (port === undefined || port !== state.newer) return
  const older = state.port
  const { stage, name, hasNodes } = state.options
  const isOpen = older?.isOpen() || older?.closeCode() === 0
  // Another node closes it once it has the row of the newer login.
  if (older?.isSocket && port.isSocket && isOpen && !hasNodes) {
    stage.broken(`I11: ${name} is logged in twice; the older connection is open`)
  }
  if (older) state.replaced.push(older)
  state.port = port
  state.newer = undefined
}

function onRefusal(state: State, code: string): void {
  state.isAuthenticating = false
  // The answer that had the password was lost: someone else now, as a player would be.
  if (code === 'username_taken') state.names += 1
  if (/^(session_|not_authenticated)/.test(code)) state.isExpired = true
  // The rest of a plan makes no sense where its player is not.
  if (ELSEWHERE.test(code)) state.at = state.goal.length
}

function connect(state: State, channel: Channel, other?: Front): Port | undefined {
  const { options, requests, ip, knowledge } = state
  const front = options.front(other)
  if (!front) return undefined
  const { name, stage } = options
  let port: Port | undefined
  const about = {
    name,
    front,
    stage,
    requests,
    ip,
    seen: (payload: Payload, code?: string) => {
      if (code === undefined) knowledge.learn(payload)
      else onRefusal(state, code)
    },
    loggedIn: (payload: Payload) => onLogin(state, port, payload),
  }
  port =
    channel === 'ws1' || channel === 'ws2'
      ? openSocketPort(about, channel)
      : openHttpPort(about, channel === 'http1' ? 'v1' : 'v2')
  return port
}

function authenticate(state: State, port: Port): void {
  const { options, password } = state
  const { name, dice } = options
  const def = options.find(password === undefined ? 'register' : 'login')
  if (!def) return
  state.isAuthenticating = true
  const username = state.names === 0 ? name : `${name} ${state.names}`
  if (password === undefined)
    port.send(def, { username, empire: dice.pick(EMPIRES), registration_code: 'any' })
  else if (dice.chance(90)) port.send(def, { username, password })
  else port.send(def, { username, password: 'wrong' })
}

/** Returns whether a mutation of the player waits for its tick: another would be refused. */
const isBusy = ({ requests }: State): boolean => requests.open().some((sent) => sent.isMutation)

/** Returns the share of a command's calls that were not refused so far; a half if untried. */
const successOf = (tally: Tally, { name }: CommandDef): number =>
  ((tally.done.get(name) ?? 0) + 1) / ((tally.commands.get(name) ?? 0) + 2)

/**
 * Chooses a command that the pending one does not forbid: mostly the most successful of a few
 * drawn.
 */
function choose(state: State): CommandDef {
  const { dice, tally } = state.options
  const first = dice.pick(state.commands)
  if (!dice.chance(SENSE_PCT)) return first
  const others = Array.from({ length: THOUGHTS - 1 }, () => dice.pick(state.commands))
  const fit = isBusy(state)
    ? [first, ...others].filter((def) => !isMutation(def))
    : [first, ...others]
  return fit.reduce(
    (best, def) => (successOf(tally, def) > successOf(tally, best) ? def : best),
    fit[0] ?? first,
  )
}

/** Sends one command with parameters from what is known. */
function send(state: State, port: Port, def: CommandDef): void {
  port.send(def, state.knowledge.params(def, state.options.dice))
}

function work(state: State, port: Port): void {
  const { options, requests } = state
  const { dice } = options
  if (requests.openCount() > 0 && dice.chance(PATIENCE_PCT)) return
  if (state.at >= state.goal.length) {
    state.goal = dice.pick(PLANS).split(' ')
    state.at = 0
  }
  const [name, purpose] = state.goal[state.at++].split(':')
  const def = options.hasPlans
    ? options.find(name)
    : state.commands.find((command) => command.name === name)
  if (!def || (def.v2 === undefined && /2$/.test(state.channel))) return
  const place = purpose && state.knowledge.place(purpose as Purpose, dice)
  if (place) port.send(def, { target_poi: place })
  else send(state, port, def)
}

function spam(state: State, port: Port, def: CommandDef): void {
  const { options, requests } = state
  const { dice } = options
  const times = 2 + dice.below(dice.chance(5) ? SPAM_MAX : 6)
  for (let i = 0; i < times && requests.openCount() < SPAM_MAX; i++) send(state, port, def)
}

function act(state: State, port: Port): void {
  const { options, requests, mood, commands } = state
  const { dice, find } = options
  const logout = dice.chance(1) && port.isSocket ? find('logout') : undefined
  if (dice.chance(2)) port.sendJunk(dice.pick(JUNK_FRAMES))
  else if (logout) port.send(logout, {})
  else if (mood === 'worker' && dice.chance(85)) work(state, port)
  else if (commands.length > 0) {
    const def = choose(state)
    if (mood === 'spammer' && dice.chance(SPAM_PCT)) spam(state, port, def)
    else if (requests.openCount() < OPEN_MAX) send(state, port, def)
  }
}

/** Lets a fault befall a connection. */
function befall(state: State, port: Port): boolean {
  const { plan, dice } = state.options
  if (plan.strikes('client_gone')) {
    port.vanish()
    return true
  }
  if (port.isSocket && plan.strikes('slow_reader')) port.stall(1 + dice.below(12))
  return false
}

function moveChance({ options, requests }: State): number {
  if (!options.hasNodes) return MOVE_PCT.alone
  const isSlow = requests.open().some(({ sentTick }) => options.tick() > sentTick + 1)
  return isSlow ? MOVE_PCT.slow : MOVE_PCT.nodes
}

function turn(state: State): void {
  const { dice, hasNodes } = state.options
  const { port } = state
  port?.step()
  state.newer?.step()
  if (state.newer && !state.newer.isOpen()) state.newer = undefined
  if (state.isExpired) port?.vanish()
  state.isExpired = false
  if (!port?.isOpen()) {
    if (state.newer) return
    state.isLoggedIn = false
    state.isAuthenticating = false
    state.port = dice.chance(30) || state.isCalm ? connect(state, state.channel) : undefined
    return
  }
  if (!state.isCalm && befall(state, port)) return
  if (!state.isLoggedIn) {
    if (!state.isAuthenticating) authenticate(state, port)
    return
  }
  if (state.isCalm || state.newer) return
  if (port.isSocket && !state.isAuthenticating && dice.chance(moveChance(state))) {
    state.newer = connect(state, state.channel, port.front)
    if (state.newer) authenticate(state, state.newer)
    // The older node notices about when the newer one has the login.
    if (hasNodes && dice.chance(50)) port.vanish()
    return
  }
  act(state, port)
}

export function createBot(options: BotOptions, number: number): Bot {
  const { name, dice, stage, audit, tally, tick } = options
  const channel = dice.pick(CHANNELS)
  const requests = createRequests({ name, stage, audit, tally, tick })
  const state: State = {
    options,
    knowledge: createKnowledge(),
    requests,
    ip: `10.0.${number >> 8}.${number & 255}`,
    channel,
    commands: options.commands.filter((def) =>
      channel === 'ws1' || channel === 'http1' ? def.v1 !== false : def.v2 !== undefined,
    ),
    mood: dice.pick(['worker', 'worker', 'random', 'spammer']),
    port: undefined,
    newer: undefined,
    replaced: [],
    password: undefined,
    isLoggedIn: false,
    loginBatch: 0,
    isAuthenticating: false,
    goal: [],
    at: 0,
    names: 0,
    isExpired: false,
    isCalm: false,
  }
  return {
    name,
    requests,
    step() {
      if (dice.chance(TURN_PCT)) turn(state)
      else {
        state.port?.step()
        state.newer?.step()
      }
    },
    move() {
      const { port } = state
      if (!port?.isSocket || !port.isOpen() || !state.isLoggedIn || state.isAuthenticating) return
      state.newer ??= connect(state, channel, port.front)
      if (state.newer) authenticate(state, state.newer)
      port.vanish()
    },
    calm() {
      state.isCalm = true
      turn(state)
    },
    cut(front) {
      const isCut = (port: Port | undefined): boolean => !front || port?.front === front
      for (const port of state.replaced) if (isCut(port)) port.vanish()
      state.replaced = state.replaced.filter((port) => port.isOpen())
      if (isCut(state.port)) {
        state.port?.vanish()
        state.port = undefined
      }
      if (!isCut(state.newer)) return
      state.newer?.vanish()
      state.newer = undefined
    },
    port: () => state.port,
    loginBatch: () => (state.isLoggedIn ? state.loginBatch : Number.POSITIVE_INFINITY),
  }
}
