/**
 * A player of the simulation: connects, logs in, follows a plan or sends random commands, leaves
 * and comes back. It decides only in its own step, from its own draws and what it has read.
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

/** Plans that a working player follows, one after another. `travel:mine` names a purpose. */
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
/** Chance that a player acts in a step, %. */
const TURN_PCT = 28
const OPEN_MAX = 8
/** Chance in a turn that a player logs in again on another connection, by circumstance, %. */
const MOVE_PCT = { alone: 1, nodes: 4, slow: 40 }
const PATIENCE_PCT = 97
const SPAM_MAX = 70
const SPAM_PCT = 6
/** Chance that a player sends the most successful of some drawn commands, %, and their number. */
const INFORMED_PCT = 80
const CANDIDATES = 5
/** Refusals that say the player is not where their plan needs them. */
const WRONG_PLACE = /^(not_docked|not_at_asteroid|no_resources|not_in_battle|no_base|in_combat)$/
const JUNK_FRAMES = ['', '{', '[]', 'null', '{"type":5}', '{"tool":{}}', '\u0000', '"x"']

export interface BotOptions {
  readonly name: string
  readonly dice: Dice
  readonly stage: Stage
  readonly plan: FaultPlan
  readonly audit: Audit
  readonly tally: Tally
  /** Commands of this seed; each is repeated by its weight. */
  readonly commands: readonly CommandDef[]
  /** Plans may use commands that this seed leaves out. */
  readonly hasPlans: boolean
  readonly find: (name: string) => CommandDef | undefined
  /** Returns a front to connect to, if possible not `current`; undefined if none is up. */
  readonly front: (current?: Front) => Front | undefined
  readonly tick: () => number
  /** The server has several nodes. */
  readonly hasNodes?: boolean
}

export interface Bot {
  readonly name: string
  readonly requests: Requests
  /** Reads what has arrived, and may act. */
  step(): void
  /** Moves to another node, if the bot is logged in on a socket. */
  move(): void
  /** Steps in phase 2: the bot only stays connected and reads. */
  calm(): void
  /** Closes the connections to a process that has ended, or to all. */
  cut(front?: Front): void
  port(): Port | undefined
  /** Returns the batch at which it logged in on `port`; infinity while it has not. */
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
  /** The commands of this seed that the channel offers. */
  readonly commands: readonly CommandDef[]
  port: Port | undefined
  /** A newer connection that replaces `port` when it is logged in (I11). */
  newer: Port | undefined
  /** Replaced connections that their node has not closed yet. */
  replaced: Port[]
  password: string | undefined
  isLoggedIn: boolean
  loginBatch: number
  isAuthenticating: boolean
  /** Steps of the current plan, and the index of the next one. */
  steps: readonly string[]
  nextStep: number
  /** Number of user names this bot has abandoned. */
  lostNames: number
  /** True when the server no longer knows the session. */
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
  // With several nodes, the older node closes it once it has the row of the newer login.
  if (older?.isSocket && port.isSocket && isOpen && !hasNodes) {
    stage.broken(`I11: ${name} is logged in twice; the older connection is open`)
  }
  if (older) state.replaced.push(older)
  state.port = port
  state.newer = undefined
}

function onRefusal(state: State, code: string): void {
  state.isAuthenticating = false
  // The answer with the password was lost, so the bot registers under another name.
  if (code === 'username_taken') state.lostNames += 1
  if (/^(session_|not_authenticated)/.test(code)) state.isExpired = true
  // The player is not where the plan needs them: abandon the rest of it.
  if (WRONG_PLACE.test(code)) state.nextStep = state.steps.length
}

function connect(state: State, channel: Channel, current?: Front): Port | undefined {
  const { options, requests, ip, knowledge } = state
  const front = options.front(current)
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
  const username = state.lostNames === 0 ? name : `${name} ${state.lostNames}`
  if (password === undefined)
    port.send(def, { username, empire: dice.pick(EMPIRES), registration_code: 'any' })
  else if (dice.chance(90)) port.send(def, { username, password })
  else port.send(def, { username, password: 'wrong' })
}

/** Returns whether a mutation of the player waits for its tick: another would be refused. */
const isBusy = ({ requests }: State): boolean => requests.open().some((sent) => sent.isMutation)

/** Returns the share of a command's calls that succeeded so far; one half if untried. */
const successRate = (tally: Tally, { name }: CommandDef): number =>
  ((tally.done.get(name) ?? 0) + 1) / ((tally.commands.get(name) ?? 0) + 2)

/** Chooses a command; mostly the most successful of a few that may be sent now. */
function choose(state: State): CommandDef {
  const { dice, tally } = state.options
  const first = dice.pick(state.commands)
  if (!dice.chance(INFORMED_PCT)) return first
  const others = Array.from({ length: CANDIDATES - 1 }, () => dice.pick(state.commands))
  const drawn = [first, ...others]
  const allowed = isBusy(state) ? drawn.filter((def) => !isMutation(def)) : drawn
  return allowed.reduce(
    (best, def) => (successRate(tally, def) > successRate(tally, best) ? def : best),
    allowed[0] ?? first,
  )
}

/** Sends one command with parameters from what the bot knows. */
function send(state: State, port: Port, def: CommandDef): void {
  port.send(def, state.knowledge.params(def, state.options.dice))
}

function followPlan(state: State, port: Port): void {
  const { options, requests } = state
  const { dice } = options
  if (requests.openCount() > 0 && dice.chance(PATIENCE_PCT)) return
  if (state.nextStep >= state.steps.length) {
    state.steps = dice.pick(PLANS).split(' ')
    state.nextStep = 0
  }
  const [name, purpose] = state.steps[state.nextStep++].split(':')
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
  else if (mood === 'worker' && dice.chance(85)) followPlan(state, port)
  else if (commands.length > 0) {
    const def = choose(state)
    if (mood === 'spammer' && dice.chance(SPAM_PCT)) spam(state, port, def)
    else if (requests.openCount() < OPEN_MAX) send(state, port, def)
  }
}

/** Lets faults strike a connection; returns whether it is gone. */
function strikePort(state: State, port: Port): boolean {
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

function takeTurn(state: State): void {
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
  if (!state.isCalm && strikePort(state, port)) return
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
    steps: [],
    nextStep: 0,
    lostNames: 0,
    isExpired: false,
    isCalm: false,
  }
  return {
    name,
    requests,
    step() {
      if (dice.chance(TURN_PCT)) takeTurn(state)
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
      takeTurn(state)
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
