/** The page: the bar, the view of the current address, and the services behind both. */
import './style.css'
import { useSignal } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { StatsBody } from '../core/public/world.ts'
import { openBody, retry, startRenewing } from './api.ts'
import { newestTick, startClock, tickArrived, tickMs } from './clock.ts'
import { type KeyRow, startKeys } from './keys.ts'
import { announce, announced } from './parts/announce.ts'
import { isKeyListOpen, KeyList } from './parts/key-list.tsx'
import { Moment } from './parts/moment.tsx'
import { focusSearch, Search } from './parts/search.tsx'
import { ErrorBar, Gone, Skeleton } from './parts/state.tsx'
import { arrivalY, go, hrefNow, path, startRouter } from './router.ts'
import { startSettings, switchTheme, theme } from './settings.ts'
import { startStream, streamState } from './stream.ts'
import { findView, pathOf, setViews, type ViewProps } from './view-rows.ts'
import { VIEWS } from './views.ts'

const openKeyList = (): void => {
  isKeyListOpen.value = true
}

const KEYS: readonly KeyRow[] = [
  { key: '/', about: 'search', run: focusSearch },
  { key: '?', about: 'list of keys', run: openKeyList },
]

function Bar() {
  const here = findView(path.value)?.view
  const isHere = (title: string) => (here?.title === title ? 'page' : undefined)
  return (
    <header class="top">
      <a class="home" href="/map" aria-label="Orrery, the map">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <circle cx="16" cy="16" r="8" />
          <circle cx="16" cy="16" r="14" />
          <circle class="sun" cx="16" cy="16" r="4.5" />
          <circle class="near" cx="21.7" cy="10.3" r="2.4" />
          <circle class="far" cx="4.4" cy="23.8" r="3" />
        </svg>
        <b>Orrery</b>
      </a>
      <nav aria-label="Views">
        {VIEWS.filter(({ bar }) => bar).map((view) => (
          <a
            key={view.path}
            class={view.bar}
            href={hrefNow(pathOf(view))}
            aria-current={isHere(view.title)}
          >
            {view.title}
          </a>
        ))}
        <a class="wide" href="/docs">
          Docs
        </a>
      </nav>
      <Search />
      <Moment />
      <button
        type="button"
        class="icon"
        onClick={switchTheme}
        aria-label={theme.value === 'dark' ? 'Use the light look' : 'Use the dark look'}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="6.5" />
          <path d="M8 1.5a6.5 6.5 0 0 1 0 13z" />
        </svg>
      </button>
      {/* Once single keys are off, only this leads back to their switch. */}
      <button type="button" class="icon open-keys" onClick={openKeyList} aria-label="Keys">
        ?
      </button>
    </header>
  )
}

/** Shows the view of the address, or a skeleton until its component is loaded. */
function View() {
  const found = findView(path.value)
  const loaded = useSignal<{ readonly path: string; readonly Shown: ComponentType<ViewProps> }>()
  const failed = useSignal(false)
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    if (!found) return
    const { view } = found
    failed.value = false
    view.load().then(
      (Shown) => {
        if (findView(path.peek())?.view === view) loaded.value = { path: view.path, Shown }
      },
      () => {
        if (findView(path.peek())?.view === view) failed.value = true
      },
    )
  }, [found?.view])
  // A layout effect, so that a view that is shown at once can set its own title after it.
  useLayoutEffect(() => {
    document.title = found ? `${found.view.title} · Orrery` : 'Orrery'
    if (first.current) first.current = false
    else {
      main.current?.focus({ preventScroll: true })
      announce(found?.view.title ?? 'Not found')
    }
  }, [path.value])
  const Shown = loaded.value?.path === found?.view.path ? loaded.value?.Shown : undefined
  // Again once the view is there: its skeleton is too short to be scrolled down.
  useLayoutEffect(() => {
    const y = arrivalY()
    if (y !== undefined) scrollTo(0, y)
  }, [path.value, Shown])
  return (
    <main id="main" ref={main} tabIndex={-1}>
      {!found && <Gone what="There is no page at this address." />}
      {found && failed.value && (
        <ErrorBar
          message="This part of the page did not load: the server may have been updated."
          remedy="Reload"
          onPress={() => location.reload()}
        />
      )}
      {found && !failed.value && !Shown && <Skeleton />}
      {found && Shown && <Shown params={found.params} />}
    </main>
  )
}

function App() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Bar />
      <View />
      <KeyList keys={KEYS} />
      <div class="hidden" role="status" aria-live="polite">
        {announced}
      </div>
    </>
  )
}

/** Reads the length of a tick and, while the feed is not available, the current tick. */
function startStats(): void {
  const { state } = openBody<StatsBody>('/api/stats', 'M')
  let seen: StatsBody | undefined
  state.subscribe(({ data, failure }) => {
    // After a failure the data is that of the last success, so its tick is not new.
    if (!data || failure || data === seen) return
    const isOtherWorld = data.epoch !== seen?.epoch
    seen = data
    tickMs.value = data.tick_ms
    // The feed may be ahead of this body; only another world can go back.
    if (data.tick < newestTick.peek() && !isOtherWorld) return
    tickArrived(data.tick, Date.parse(data.public_at))
  })
  const poll = () => {
    // After a failure it is retried automatically, at the time that the server named.
    const isWanted = streamState.value !== 'live' && !document.hidden
    if (isWanted && !state.peek().failure) retry('/api/stats')
    setTimeout(poll, Math.max(1_000, tickMs.value))
  }
  poll()
}

setViews(VIEWS)
startSettings()
startRouter((where) => findView(where) !== undefined)
startKeys({
  keys: KEYS,
  goTo: (letter) => {
    const view = VIEWS.find(({ key }) => key === letter)
    if (view) go(hrefNow(pathOf(view)))
  },
})
startClock()
startRenewing()
startStats()
startStream()
render(<App />, document.getElementById('page') as HTMLElement)
