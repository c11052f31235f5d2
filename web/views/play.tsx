/** The play console: it plays over WebSocket v2, as any program does. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useBody } from '../api.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { announce } from '../parts/announce.ts'
import { formatInt } from '../parts/format.ts'
import { PlayerLink } from '../parts/link.tsx'
import { Stateful } from '../parts/state.tsx'
import { Chip, Tabs } from '../parts/tabs.tsx'
import { CommandForm } from '../play/command-form.tsx'
import type { ConsoleBody } from '../play/console.ts'
import { Log, Pending } from '../play/log.tsx'
import { Login } from '../play/login.tsx'
import { labelOf } from '../play/next.ts'
import { NextSteps } from '../play/next-steps.tsx'
import { Palette } from '../play/palette.tsx'
import { Gauges, Panels } from '../play/panels.tsx'
import {
  CONSOLE_PATH,
  FINDER_ID,
  history,
  isPaletteOpen,
  nowMs,
  play,
  session,
  setOperations,
  shownTab,
  stepHistory,
  type Tab,
} from '../play/store.ts'
import { Chat, News } from '../play/talk.tsx'

const CLOCK_MS = 250

/** For the list of keys at `?`; the console handles these keys itself, even during input. */
const KEYS: readonly KeyRow[] = [
  { key: 'Ctrl K', about: 'find a command', run: () => {} },
  { key: 'Ctrl Enter', about: 'send the form', run: () => {} },
  { key: 'Up', about: 'previous commands', run: () => {} },
]

/** Announces the outcome of the newest command to screen readers. */
function useOutcomes(): void {
  const last = history.value.at(-1)
  const isOver = last?.progress === 'done' || last?.progress === 'refused'
  useEffect(() => {
    if (last && isOver) announce(`${labelOf(last.address)}: ${last.text || last.progress}`)
  }, [last?.id, isOver])
}

export function PlayView() {
  useKeys(KEYS)
  useOutcomes()
  const body = useBody<ConsoleBody>(CONSOLE_PATH, 'H')
  const { data } = body.value
  useEffect(() => {
    if (data) setOperations(data)
  }, [data])
  useEffect(() => {
    const update = () => {
      nowMs.value = performance.now()
    }
    update()
    const timer = setInterval(update, CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      if (play.peek().phase !== 'out') isPaletteOpen.value = true
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const { phase } = play.value
  return (
    <div class="view play">
      <Stateful path={CONSOLE_PATH} body={body}>
        {() => (phase === 'in' || phase === 'away' ? <Console /> : <Entry />)}
      </Stateful>
    </div>
  )
}

function Entry() {
  return (
    <>
      <header>
        <h1>Play</h1>
        <span class="muted">the same game that programs play, by hand</span>
      </header>
      <Login />
      <NewPassword />
      {play.value.sent.length > 0 && <Log />}
    </>
  )
}

const TABS = (unread: number) => [
  { value: 'do', title: 'Do' },
  { value: 'state', title: 'State' },
  { value: 'news', title: 'News' },
  { value: 'chat', title: unread > 0 ? `Chat (${unread})` : 'Chat' },
]

function Console() {
  const { unreadChat } = play.value
  return (
    <>
      <Head />
      <Away />
      <NewPassword />
      <div class="narrow-only">
        <Tabs
          label="Parts of the console"
          choices={TABS(unreadChat)}
          value={shownTab.value}
          onChoose={(value) => {
            shownTab.value = value as Tab
          }}
        />
      </div>
      <div class="desk" data-tab={shownTab}>
        <div data-part="state">
          <Panels />
        </div>
        <div data-part="do" class="stack">
          <Pending />
          <button
            type="button"
            class="finder"
            id={FINDER_ID}
            aria-keyshortcuts="Control+K"
            onKeyDown={(event) => {
              if (event.key !== 'ArrowUp') return
              event.preventDefault()
              stepHistory(1)
            }}
            onClick={() => {
              isPaletteOpen.value = true
            }}
          >
            Find a command{' '}
            <span>
              <kbd>Ctrl</kbd> <kbd>K</kbd>
            </span>
          </button>
          <CommandForm />
          <NextSteps />
          <Log />
        </div>
        <div data-part="talk" class="stack">
          <div data-part="chat">
            <Chat />
          </div>
          <div data-part="news">
            <News />
          </div>
        </div>
      </div>
      <Palette />
    </>
  )
}

function Head() {
  const { game, phase } = play.value
  const { player, location, ship } = game
  return (
    <header>
      <h1>{player ? <PlayerLink name={player.username} /> : 'Play'}</h1>
      {player && (
        <b>
          {formatInt(player.credits)}
          <span class="unit">cr</span>
        </b>
      )}
      <span class="muted">
        {[location?.system_name, location?.poi_name].filter(Boolean).join(', ')}
        {location?.docked_at ? ', docked' : ''}
      </span>
      {phase === 'in' ? <Chip tone="good">connected</Chip> : <Chip tone="warn">away</Chip>}
      <button type="button" onClick={() => session.logout()}>
        Log out
      </button>
      {ship && (
        <div class="narrow-only head-gauges">
          <Gauges ship={ship} />
        </div>
      )}
    </header>
  )
}

/**
 * Shows that the connection is lost, and when the next attempt follows. The countdown is not
 * announced, since it changes every second.
 */
function Away() {
  const { phase, why, retryAt } = play.value
  if (phase !== 'away') return null
  const seconds = retryAt === undefined ? 0 : Math.ceil((retryAt - nowMs.value) / 1_000)
  return (
    <p class="bar warn" data-state="away">
      <span>
        <span role="alert">{why} Commands that you send meanwhile are queued.</span>{' '}
        {seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again.'}
      </span>
    </p>
  )
}

/**
 * Returns whether there is a clipboard: over plain http browsers have none, despite the types.
 */
const hasClipboard = (): boolean => (navigator.clipboard as Clipboard | undefined) !== undefined

/** Copies a text; returns a sentence that describes the outcome. */
const copy = (text: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => 'Copied.',
    () => 'The browser did not copy it; select it and copy it yourself.',
  )

/** Shows the password of a new player once, until the reader confirms it. */
function NewPassword() {
  const { newPassword } = play.value
  const outcome = useSignal('')
  if (!newPassword) return null
  const show = (text: string) => {
    outcome.value = text
  }
  return (
    <div class="bar warn" role="alert">
      <span>
        <b>Your password, shown only now:</b> <code class="secret">{newPassword}</code>
        <br />
        Write it down; there is no other way back to this player.
      </span>
      <span class="filters">
        {hasClipboard() && (
          <button type="button" onClick={() => void copy(newPassword).then(show)}>
            Copy
          </button>
        )}
        <span role="status">{outcome}</span>
        <button type="button" onClick={() => session.forgetPassword()}>
          I have it
        </button>
      </span>
    </div>
  )
}
