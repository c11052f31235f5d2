/** The session of the console against a server that the test plays. */
import { describe, expect, it } from 'vitest'
import { type Credentials, Session, type SocketEvents, waitOf } from '../../../web/play/session.ts'
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
  const waits: { ms: number; run: () => void }[] = []
  let events: SocketEvents | undefined
  let opened = 0
  let now = 1_000
  const session = new Session({
    open(given) {
      events = given
      opened += 1
      return { send: (text) => requests.push(JSON.parse(text)), close: () => {} }
    },
    now: () => now,
    later(ms, run) {
      const entry = { ms, run }
      waits.push(entry)
      return () => {
        const index = waits.indexOf(entry)
        if (index >= 0) waits.splice(index, 1)
      }
    },
    jitter: () => 0,
    changed: (state) => states.push(state),
  })
  const tell = (type: string, payload: object, request_id?: string) =>
    events?.onMessage(JSON.stringify({ type, payload, request_id }))
  const last = (action: string) => requests.findLast((request) => request.action === action)
  return {
    session,
    requests,
    waits,
    tell,
    last,
    raw: (data: unknown) => events?.onMessage(data),
    opened: () => opened,
    pass: (ms: number) => {
      now += ms
    },
    cut: (code: number, reason = '') => events?.onClose(code, reason),
    welcome: () => tell('welcome', { tick_rate: 10, current_tick: 7, version: '1' }),
    answer: (action: string, result: object) =>
      tell('result', { result: 'words', structuredContent: result }, last(action)?.request_id),
    enter() {
      session.login(LOGIN)
      tell('welcome', { tick_rate: 10, current_tick: 7, version: '1' })
      tell('logged_in', { system: { id: 'sol', name: 'Sol', pois: [], connections: [] } })
      tell(
        'result',
        {
          structuredContent: {
            location: { system_id: 'sol', docked_at: null },
            queue: { has_pending: false },
          },
        },
        last('get_state')?.request_id,
      )
    },
  }
}

const MINE = { address: 'game/mine', payload: {} }
const DOCK = { address: 'game/dock', payload: {} }
const CARGO = { address: 'game/get_cargo', payload: {} }

describe('a session of the console', () => {
  it('logs in behind the welcome, and asks for the state', () => {
    const { session, tell, welcome, last } = stage()
    session.login(LOGIN)
    expect(session.state.phase).toBe('opening')
    welcome()
    expect(last('login')).toMatchObject({
      tool: 'game_auth',
      payload: { username: 'Ann', password: 'secret' },
    })
    tell('logged_in', { system: { id: 'sol' } })
    expect(session.state.phase).toBe('in')
    expect(last('get_state')).toBeDefined()
  })

  it('stays out with the reason where the login is refused', () => {
    const { session, tell, welcome, last } = stage()
    session.login(LOGIN)
    welcome()
    const error = { code: 'invalid_credentials', message: 'No.' }
    tell('error', error, last('login')?.request_id)
    expect(session.state).toMatchObject({ phase: 'out', why: 'No.', whyCode: error.code })
  })

  it('sends one mutation, keeps the next until the outcome, and queries pass', () => {
    const { session, enter, last, requests, answer, tell } = stage()
    enter()
    session.send(MINE, true)
    session.send(DOCK, true)
    session.send(CARGO, false)
    expect(last('mine')).toBeDefined()
    expect(last('get_cargo')).toBeDefined()
    expect(last('dock')).toBeUndefined()
    answer('mine', { pending: true, command: 'mine' })
    expect(last('dock')).toBeUndefined()
    const details = { kind: 'yield', resource_name: 'Iron Ore', quantity: 4 }
    const payload = { command: 'mine', tick: 8, result: { details } }
    tell('action_result', payload, last('mine')?.request_id)
    expect(session.state.sent[0]).toMatchObject({ progress: 'done', words: 'Mined 4 Iron Ore' })
    expect(requests.at(-1)?.action).toBe('dock')
  })

  it('holds what waits behind a refusal until it is released', () => {
    const { session, enter, last, tell } = stage()
    enter()
    session.send(MINE, true)
    session.send(DOCK, true)
    const refusal = { code: 'not_at_asteroid', message: 'Nothing here.', tick: 8 }
    tell('action_error', refusal, last('mine')?.request_id)
    const [mine] = session.state.sent
    expect(mine).toMatchObject({ progress: 'refused', code: 'not_at_asteroid', tick: 8 })
    expect(session.state.isHeld).toBe(true)
    expect(last('dock')).toBeUndefined()
    session.release()
    expect(last('dock')).toBeDefined()
  })

  it('connects again after a cut, logs in, and sends what waited', () => {
    const { session, enter, cut, waits, opened, welcome, last, tell } = stage()
    enter()
    cut(1006)
    expect(session.state.phase).toBe('away')
    session.send(MINE, true)
    expect(queuedOf(session.state.sent)).toHaveLength(1)
    expect(last('mine')).toBeUndefined()
    waits.at(-1)?.run()
    expect(opened()).toBe(2)
    welcome()
    tell('logged_in', {})
    expect(last('mine')).toBeDefined()
  })

  it('does not repeat a mutation whose outcome is unknown', () => {
    const { session, enter, cut, waits, welcome, tell, requests } = stage()
    enter()
    session.send(MINE, true)
    session.send(CARGO, false)
    cut(1006)
    const progress = session.state.sent.map((sent) => sent.progress)
    expect(progress).toEqual(['lost', 'queued'])
    waits.at(-1)?.run()
    welcome()
    tell('logged_in', {})
    expect(requests.filter(({ action }) => action === 'mine')).toHaveLength(1)
    expect(requests.filter(({ action }) => action === 'get_cargo')).toHaveLength(2)
  })

  it('tries again after a refusal that passes, with what waits', () => {
    const { session, enter, cut, waits, welcome, tell, last } = stage()
    enter()
    cut(1006)
    session.send(MINE, true)
    waits.at(-1)?.run()
    welcome()
    const limit = { code: 'rate_limited', message: 'Later.', details: { wait_seconds: 40 } }
    tell('error', limit, last('login')?.request_id)
    expect(session.state).toMatchObject({ phase: 'away', why: 'Later.' })
    expect(waits.at(-1)?.ms).toBe(40_000)
    waits.at(-1)?.run()
    welcome()
    tell('error', { code: 'persist_timeout', message: 'Slow.' }, last('login')?.request_id)
    expect(waits.at(-1)?.ms).toBe(4_000)
    waits.at(-1)?.run()
    welcome()
    tell('logged_in', {})
    expect(session.state.phase).toBe('in')
    expect(last('mine')).toBeDefined()
  })

  it('waits for a token where the server does not answer, and ends where it refuses', async () => {
    const { session, welcome, tell, cut, waits } = stage()
    const errors = ['restarting', 'invalid_api_key']
    let isUp = true
    const token = async () => {
      if (isUp) return 'once'
      throw Object.assign(new Error('No.'), { code: errors.shift() })
    }
    session.login({ how: 'token', username: 'Ann', token })
    welcome()
    await Promise.resolve()
    tell('logged_in', {})
    isUp = false
    cut(1006)
    for (const phase of ['away', 'out']) {
      waits.at(-1)?.run()
      welcome()
      await Promise.resolve()
      await Promise.resolve()
      expect(session.state.phase).toBe(phase)
    }
  })

  it('shows the next player nothing of the one before', () => {
    const { session, enter, tell, cut } = stage()
    enter()
    session.send(CARGO, false)
    tell('chat_message', { id: 'm1', channel: 'private', sender: 'Bo', content: 'Psst.' })
    tell('mining_yield', { quantity: 1 })
    cut(4001, 'session_replaced')
    session.login(LOGIN)
    expect(session.state.chat).toHaveLength(1)
    session.login({ ...LOGIN, username: 'Cid' })
    expect(session.state).toMatchObject({ chat: [], notes: [], sent: [] })
  })

  it('keeps an accepted mutation through a cut, and ends it if the state has none', () => {
    const { session, enter, cut, waits, welcome, tell, answer, last } = stage()
    enter()
    session.send(MINE, true)
    answer('mine', { pending: true })
    cut(1006)
    expect(session.state.sent[0].progress).toBe('pending')
    waits.at(-1)?.run()
    welcome()
    tell('logged_in', {})
    const state = { structuredContent: { queue: { has_pending: false } } }
    tell('result', state, last('get_state')?.request_id)
    expect(session.state.sent[0].progress).toBe('lost')
  })

  it('does not reconnect if the player logged in elsewhere', () => {
    const { session, enter, cut, waits } = stage()
    enter()
    cut(4001, 'session_replaced')
    expect(session.state).toMatchObject({ phase: 'out', whyCode: 'session_replaced' })
    expect(waits).toEqual([])
  })

  it('logs a new player in again by the password that came', () => {
    const { session, welcome, tell, last, cut, waits } = stage()
    session.login({ how: 'register', username: 'Ann', empire: 'solarian' })
    welcome()
    expect(last('register')?.payload).toEqual({ username: 'Ann', empire: 'solarian' })
    tell('registered', { password: 'made' }, last('register')?.request_id)
    tell('logged_in', {})
    expect(session.state.newPassword).toBe('made')
    cut(1006)
    waits.at(-1)?.run()
    welcome()
    expect(last('login')?.payload).toEqual({ username: 'Ann', password: 'made' })
  })

  it('looks around where the system or the base is another', () => {
    const { session, enter, tell, last, requests } = stage()
    enter()
    const before = requests.length
    session.send(DOCK, true)
    const result = { location: { system_id: 'sol', docked_at: 'base' } }
    tell('action_result', { tick: 8, result }, last('dock')?.request_id)
    const asked = requests.slice(before + 1).map(({ action }) => action)
    expect(asked).toEqual(['get_base', 'get_missions'])
  })

  it('asks for the state after an outcome, and forgets hints that are gone', () => {
    const { session, enter, last, tell, waits, requests } = stage()
    enter()
    tell('result', { structuredContent: {} }, 'unknown')
    session.send(MINE, true)
    tell('action_result', { tick: 8, result: { hints: ['Dock.'] } }, last('mine')?.request_id)
    expect(session.state.game.hints).toEqual(['Dock.'])
    waits.at(-1)?.run()
    expect(requests.at(-1)?.action).toBe('get_state')
    tell('result', { structuredContent: {} }, requests.at(-1)?.request_id)
    expect(session.state.game.hints).toEqual([])
    expect(session.state.game.location).toBeDefined()
  })

  it("lists the player's own messages beside those of others", () => {
    const { session, enter, last, tell } = stage()
    enter()
    const message = { id: 'm1', channel: 'local', sender: 'Bo', content: 'Hi.', timestamp: '' }
    tell('chat_message', message)
    expect(session.state.unreadChat).toBe(1)
    const payload = { target: 'local', content: 'Hello, Bo.' }
    session.send({ address: 'game_social/chat', payload }, false)
    const answer = { channel: 'local', message: 'Sent.', sent_at: 1_795_379_340 }
    const body = { result: 'Sent.', structuredContent: answer }
    tell('result', body, last('chat')?.request_id)
    expect(session.state.chat.map(({ content }) => content)).toEqual(['Hi.', 'Hello, Bo.'])
    expect(session.state.chat[1].timestamp).toBe('2026-11-22T20:29:00.000Z')
  })

  it('forgets the player at logout', () => {
    const { session, enter, last } = stage()
    enter()
    session.logout()
    expect(last('logout')).toBeDefined()
    expect(session.state).toMatchObject({ phase: 'out', game: {}, sent: [], chat: [] })
  })

  it('bounds the queue, the history and the news', () => {
    const { session, enter, tell, cut } = stage()
    enter()
    for (let i = 0; i < NOTES_MAX + 5; i++) tell('mining_yield', { quantity: i })
    expect(session.state.notes).toHaveLength(NOTES_MAX)
    expect(session.state.notes.at(-1)?.payload.quantity).toBe(NOTES_MAX + 4)
    for (let i = 0; i < SENT_MAX + 5; i++) {
      session.send(CARGO, false)
      const { id } = session.state.sent.at(-1) as { id: string }
      tell('result', { result: '', structuredContent: {} }, id)
    }
    expect(session.state.sent).toHaveLength(SENT_MAX)
    cut(1006)
    for (let i = 0; i < QUEUE_MAX; i++) expect(session.send(MINE, true)).toBe(true)
    expect(session.send(MINE, true)).toBe(false)
    session.cancel(queuedOf(session.state.sent)[0].id)
    expect(session.send(MINE, true)).toBe(true)
  })

  it('survives invalid frames', () => {
    const { session, enter, raw, tell } = stage()
    enter()
    const { state } = session
    for (const data of ['', '[]', 'null', '{"type":5}', new ArrayBuffer(4)]) raw(data)
    expect(session.state).toBe(state)
    raw('{"type":"x","payload":7}')
    tell('result', { structuredContent: 7 }, 'unknown')
    expect(session.state.phase).toBe('in')
  })
})

describe('the wait before the next connection', () => {
  it("doubles up to half a minute, or follows the server's Retry-After", () => {
    const waits = [0, 1, 2, 3, 4, 5, 9].map((tries) => waitOf(1006, '', tries, 0) / 1000)
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30])
    expect(waitOf(4003, 'rate_limited retry_after=120', 0, 0)).toBe(120_000)
    expect(waitOf(1006, '', 0, 1)).toBe(1_300)
  })
})
