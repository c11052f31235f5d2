/** The session of the console against a server that the test plays. */
import { describe, expect, it } from 'vitest'
import {
  type Credentials,
  retryDelayMs,
  Session,
  type SocketEvents,
} from '../../../web/play/session.ts'
import {
  NOTES_MAX,
  type PlayState,
  QUEUE_MAX,
  queuedOf,
  SENT_MAX,
} from '../../../web/play/state.ts'

interface Request {
  readonly tool: string
  readonly action: string
  readonly payload: Record<string, unknown>
  readonly request_id: string
}

const LOGIN: Credentials = { how: 'login', username: 'Ann', password: 'secret' }

/** Makes a console whose server is played by the test. */
function stage() {
  const states: PlayState[] = []
  const requests: Request[] = []
  const timers: { ms: number; run: () => void }[] = []
  let events: SocketEvents | undefined
  let opened = 0
  const session = new Session({
    open(given) {
      events = given
      opened += 1
      return { send: (text) => requests.push(JSON.parse(text)), close: () => {} }
    },
    now: () => 1_000,
    schedule(ms, run) {
      const entry = { ms, run }
      timers.push(entry)
      return () => {
        const index = timers.indexOf(entry)
        if (index >= 0) timers.splice(index, 1)
      }
    },
    jitter: () => 0,
    changed: (state) => states.push(state),
  })
  const receive = (type: string, payload: object, request_id?: string) =>
    events?.onMessage(JSON.stringify({ type, payload, request_id }))
  const lastRequest = (action: string) => requests.findLast((request) => request.action === action)
  return {
    session,
    requests,
    timers,
    receive,
    lastRequest,
    receiveRaw: (data: unknown) => events?.onMessage(data),
    opened: () => opened,
    cut: (code: number, reason = '') => events?.onClose(code, reason),
    welcome: () => receive('welcome', { tick_rate: 10, current_tick: 7, version: '1' }),
    answer: (action: string, result: object) =>
      receive(
        'result',
        { result: 'words', structuredContent: result },
        lastRequest(action)?.request_id,
      ),
    logIn() {
      session.login(LOGIN)
      receive('welcome', { tick_rate: 10, current_tick: 7, version: '1' })
      receive('logged_in', { system: { id: 'sol', name: 'Sol', pois: [], connections: [] } })
      receive(
        'result',
        {
          structuredContent: {
            location: { system_id: 'sol', docked_at: null },
            queue: { has_pending: false },
          },
        },
        lastRequest('get_state')?.request_id,
      )
    },
  }
}

const MINE = { address: 'game/mine', payload: {} }
const DOCK = { address: 'game/dock', payload: {} }
const CARGO = { address: 'game/get_cargo', payload: {} }

describe('a session of the console', () => {
  it('logs in after the welcome, then requests the state', () => {
    const { session, receive, welcome, lastRequest } = stage()
    session.login(LOGIN)
    expect(session.state.phase).toBe('opening')
    welcome()
    expect(lastRequest('login')).toMatchObject({
      tool: 'game_auth',
      payload: { username: 'Ann', password: 'secret' },
    })
    receive('logged_in', { system: { id: 'sol' } })
    expect(session.state.phase).toBe('in')
    expect(lastRequest('get_state')).toBeDefined()
  })

  it('stays logged out, with the reason, if the login is refused', () => {
    const { session, receive, welcome, lastRequest } = stage()
    session.login(LOGIN)
    welcome()
    const error = { code: 'invalid_credentials', message: 'No.' }
    receive('error', error, lastRequest('login')?.request_id)
    expect(session.state).toMatchObject({ phase: 'out', why: 'No.', whyCode: error.code })
  })

  it('queues a second mutation, but no query, until the outcome of the first', () => {
    const { session, logIn, lastRequest, requests, answer, receive } = stage()
    logIn()
    session.send(MINE, true)
    session.send(DOCK, true)
    session.send(CARGO, false)
    expect(lastRequest('mine')).toBeDefined()
    expect(lastRequest('get_cargo')).toBeDefined()
    expect(lastRequest('dock')).toBeUndefined()
    answer('mine', { pending: true, command: 'mine' })
    expect(lastRequest('dock')).toBeUndefined()
    const details = { kind: 'yield', resource_name: 'Iron Ore', quantity: 4 }
    const payload = { command: 'mine', tick: 8, result: { details } }
    receive('action_result', payload, lastRequest('mine')?.request_id)
    expect(session.state.sent[0]).toMatchObject({ progress: 'done', text: 'Mined 4 Iron Ore' })
    expect(requests.at(-1)?.action).toBe('dock')
  })

  it('holds queued mutations after a refusal until they are released', () => {
    const { session, logIn, lastRequest, receive } = stage()
    logIn()
    session.send(MINE, true)
    session.send(DOCK, true)
    const refusal = { code: 'not_at_asteroid', message: 'Nothing here.', tick: 8 }
    receive('action_error', refusal, lastRequest('mine')?.request_id)
    const [mine] = session.state.sent
    expect(mine).toMatchObject({ progress: 'refused', code: 'not_at_asteroid', tick: 8 })
    expect(session.state.isHeld).toBe(true)
    expect(lastRequest('dock')).toBeUndefined()
    session.release()
    expect(lastRequest('dock')).toBeDefined()
  })

  it('reconnects after a cut, logs in, and sends queued commands', () => {
    const { session, logIn, cut, timers, opened, welcome, lastRequest, receive } = stage()
    logIn()
    cut(1006)
    expect(session.state.phase).toBe('away')
    session.send(MINE, true)
    expect(queuedOf(session.state.sent)).toHaveLength(1)
    expect(lastRequest('mine')).toBeUndefined()
    timers.at(-1)?.run()
    expect(opened()).toBe(2)
    welcome()
    receive('logged_in', {})
    expect(lastRequest('mine')).toBeDefined()
  })

  it('does not repeat a mutation whose outcome is unknown', () => {
    const { session, logIn, cut, timers, welcome, receive, requests } = stage()
    logIn()
    session.send(MINE, true)
    session.send(CARGO, false)
    cut(1006)
    const progress = session.state.sent.map((sent) => sent.progress)
    expect(progress).toEqual(['lost', 'queued'])
    timers.at(-1)?.run()
    welcome()
    receive('logged_in', {})
    expect(requests.filter(({ action }) => action === 'mine')).toHaveLength(1)
    expect(requests.filter(({ action }) => action === 'get_cargo')).toHaveLength(2)
  })

  it('retries the login after a temporary refusal and keeps queued commands', () => {
    const { session, logIn, cut, timers, welcome, receive, lastRequest } = stage()
    logIn()
    cut(1006)
    session.send(MINE, true)
    timers.at(-1)?.run()
    welcome()
    const limit = { code: 'rate_limited', message: 'Later.', details: { wait_seconds: 40 } }
    receive('error', limit, lastRequest('login')?.request_id)
    expect(session.state).toMatchObject({ phase: 'away', why: 'Later.' })
    expect(timers.at(-1)?.ms).toBe(40_000)
    timers.at(-1)?.run()
    welcome()
    const timeout = { code: 'persist_timeout', message: 'Slow.' }
    receive('error', timeout, lastRequest('login')?.request_id)
    expect(timers.at(-1)?.ms).toBe(4_000)
    timers.at(-1)?.run()
    welcome()
    receive('logged_in', {})
    expect(session.state.phase).toBe('in')
    expect(lastRequest('mine')).toBeDefined()
  })

  it('retries while the token server is down, and logs out if it refuses', async () => {
    const { session, welcome, receive, cut, timers } = stage()
    const errors = ['restarting', 'invalid_api_key']
    let isUp = true
    const token = async () => {
      if (isUp) return 'once'
      throw Object.assign(new Error('No.'), { code: errors.shift() })
    }
    session.login({ how: 'token', username: 'Ann', token })
    welcome()
    await Promise.resolve()
    receive('logged_in', {})
    isUp = false
    cut(1006)
    for (const phase of ['away', 'out']) {
      timers.at(-1)?.run()
      welcome()
      await Promise.resolve()
      await Promise.resolve()
      expect(session.state.phase).toBe(phase)
    }
  })

  it('shows nothing of one player to the next', () => {
    const { session, logIn, receive, cut } = stage()
    logIn()
    session.send(CARGO, false)
    receive('chat_message', { id: 'm1', channel: 'private', sender: 'Bo', content: 'Psst.' })
    receive('mining_yield', { quantity: 1 })
    cut(4001, 'session_replaced')
    session.login(LOGIN)
    expect(session.state.chat).toHaveLength(1)
    session.login({ ...LOGIN, username: 'Cid' })
    expect(session.state).toMatchObject({ chat: [], notes: [], sent: [] })
  })

  it('keeps an accepted mutation through a cut, and drops it if the state has none', () => {
    const { session, logIn, cut, timers, welcome, receive, answer, lastRequest } = stage()
    logIn()
    session.send(MINE, true)
    answer('mine', { pending: true })
    cut(1006)
    expect(session.state.sent[0].progress).toBe('pending')
    timers.at(-1)?.run()
    welcome()
    receive('logged_in', {})
    const state = { structuredContent: { queue: { has_pending: false } } }
    receive('result', state, lastRequest('get_state')?.request_id)
    expect(session.state.sent[0].progress).toBe('lost')
  })

  it('does not reconnect if the player logged in elsewhere', () => {
    const { session, logIn, cut, timers } = stage()
    logIn()
    cut(4001, 'session_replaced')
    expect(session.state).toMatchObject({ phase: 'out', whyCode: 'session_replaced' })
    expect(timers).toEqual([])
  })

  it('logs a new player in again with the password received', () => {
    const { session, welcome, receive, lastRequest, cut, timers } = stage()
    session.login({ how: 'register', username: 'Ann', empire: 'solarian' })
    welcome()
    expect(lastRequest('register')?.payload).toEqual({ username: 'Ann', empire: 'solarian' })
    receive('registered', { password: 'made' }, lastRequest('register')?.request_id)
    receive('logged_in', {})
    expect(session.state.newPassword).toBe('made')
    cut(1006)
    timers.at(-1)?.run()
    welcome()
    expect(lastRequest('login')?.payload).toEqual({ username: 'Ann', password: 'made' })
  })

  it('requests the base and its missions after docking', () => {
    const { session, logIn, receive, lastRequest, requests } = stage()
    logIn()
    const before = requests.length
    session.send(DOCK, true)
    const result = { location: { system_id: 'sol', docked_at: 'base' } }
    receive('action_result', { tick: 8, result }, lastRequest('dock')?.request_id)
    const actions = requests.slice(before + 1).map(({ action }) => action)
    expect(actions).toEqual(['get_base', 'get_missions'])
  })

  it('requests the state after an outcome, and drops outdated hints', () => {
    const { session, logIn, lastRequest, receive, timers, requests } = stage()
    logIn()
    receive('result', { structuredContent: {} }, 'unknown')
    session.send(MINE, true)
    const outcome = { tick: 8, result: { hints: ['Dock.'] } }
    receive('action_result', outcome, lastRequest('mine')?.request_id)
    expect(session.state.game.hints).toEqual(['Dock.'])
    timers.at(-1)?.run()
    expect(requests.at(-1)?.action).toBe('get_state')
    receive('result', { structuredContent: {} }, requests.at(-1)?.request_id)
    expect(session.state.game.hints).toEqual([])
    expect(session.state.game.location).toBeDefined()
  })

  it("lists the player's own messages among those of others", () => {
    const { session, logIn, lastRequest, receive } = stage()
    logIn()
    const message = { id: 'm1', channel: 'local', sender: 'Bo', content: 'Hi.', timestamp: '' }
    receive('chat_message', message)
    expect(session.state.unreadChat).toBe(1)
    const payload = { target: 'local', content: 'Hello, Bo.' }
    session.send({ address: 'game_social/chat', payload }, false)
    const answer = { channel: 'local', message: 'Sent.', sent_at: 1_795_379_340 }
    const body = { result: 'Sent.', structuredContent: answer }
    receive('result', body, lastRequest('chat')?.request_id)
    expect(session.state.chat.map(({ content }) => content)).toEqual(['Hi.', 'Hello, Bo.'])
    expect(session.state.chat[1].timestamp).toBe('2026-11-22T20:29:00.000Z')
  })

  it('forgets the player at logout', () => {
    const { session, logIn, lastRequest } = stage()
    logIn()
    session.logout()
    expect(lastRequest('logout')).toBeDefined()
    expect(session.state).toMatchObject({ phase: 'out', game: {}, sent: [], chat: [] })
  })

  it('bounds the queue, the history and the notices', () => {
    const { session, logIn, receive, cut } = stage()
    logIn()
    for (let i = 0; i < NOTES_MAX + 5; i++) receive('mining_yield', { quantity: i })
    expect(session.state.notes).toHaveLength(NOTES_MAX)
    expect(session.state.notes.at(-1)?.payload.quantity).toBe(NOTES_MAX + 4)
    for (let i = 0; i < SENT_MAX + 5; i++) {
      session.send(CARGO, false)
      const { id } = session.state.sent.at(-1) as { id: string }
      receive('result', { result: '', structuredContent: {} }, id)
    }
    expect(session.state.sent).toHaveLength(SENT_MAX)
    cut(1006)
    for (let i = 0; i < QUEUE_MAX; i++) expect(session.send(MINE, true)).toBe(true)
    expect(session.send(MINE, true)).toBe(false)
    session.cancel(queuedOf(session.state.sent)[0].id)
    expect(session.send(MINE, true)).toBe(true)
  })

  it('survives invalid frames', () => {
    const { session, logIn, receiveRaw, receive } = stage()
    logIn()
    const { state } = session
    for (const data of ['', '[]', 'null', '{"type":5}', new ArrayBuffer(4)]) receiveRaw(data)
    expect(session.state).toBe(state)
    receiveRaw('{"type":"x","payload":7}')
    receive('result', { structuredContent: 7 }, 'unknown')
    expect(session.state.phase).toBe('in')
  })
})

describe('the wait before the next connection', () => {
  it("doubles up to half a minute, or follows the server's Retry-After", () => {
    const waits = [0, 1, 2, 3, 4, 5, 9].map((tries) => retryDelayMs(1006, '', tries, 0) / 1000)
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
    expect(retryDelayMs(4003, 'rate_limited retry_after=120', 0, 0)).toBe(120_000)
    expect(retryDelayMs(1006, '', 0, 1)).toBe(1_300)
  })
})
