/** Commands sent, with their outcomes, newest first; the queue is on top. */
import { useSignal } from '@preact/signals'
import { formatInt } from '../parts/format.ts'
import { Empty } from '../parts/state.tsx'
import { Chip, type Tone } from '../parts/tabs.tsx'
import { describePayload } from './form.ts'
import { labelOf } from './next.ts'
import { type PlayState, type Progress, pendingOf, queuedOf, type Sent } from './state.ts'
import { history, nowMs, openForm, play, reopenForm, session } from './store.ts'
import { Raw, Words } from './text.tsx'
import { msUntil, tickNow } from './ticks.ts'

const SHOWN_STEP = 20
/** Texts longer than this are folded. */
const FOLDED_CHARS = 700

/** Describes how long it takes until the tick that answers. */
function countdownOf({ ticks }: PlayState, now: number, dueTick?: number): string {
  if (!ticks) return ''
  const seconds = Math.ceil(msUntil(ticks, now, dueTick) / 1000)
  if (dueTick === undefined && !ticks.isSure) return `within ${Math.ceil(ticks.tickMs / 1000)} s`
  return seconds > 0 ? `in ${seconds} s` : 'any moment'
}

/** Shows the pending mutation and the queue behind it. */
export function Pending() {
  const state = play.value
  const pending = pendingOf(state.sent)
  const waiting = queuedOf(state.sent).filter(({ isQuiet }) => !isQuiet)
  const { ticks } = state
  return (
    <section class="panel pending" aria-label="Queue">
      <p class="ends">
        <span>
          {pending ? (
            <>
              <b>{labelOf(pending.address)}</b> {countdownOf(state, nowMs.value, pending.dueTick)}
            </>
          ) : (
            <span class="muted">Nothing is pending.</span>
          )}
        </span>
        {ticks && (
          <span class="muted">
            tick {formatInt(tickNow(ticks, nowMs.value))}, next {countdownOf(state, nowMs.value)}
          </span>
        )}
      </p>
      {state.isHeld && (
        <p class="bar warn" role="alert">
          <span>The queue is on hold: the command before it was refused.</span>
          <button type="button" onClick={() => session.release()}>
            Continue
          </button>
        </p>
      )}
      {waiting.length > 0 && (
        <ol class="list">
          {waiting.map(({ id, address }) => (
            <li key={id}>
              <Chip>waits</Chip> {labelOf(address)}
              <button type="button" class="end" onClick={() => session.cancel(id)}>
                Cancel
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

export function Log() {
  const limit = useSignal(SHOWN_STEP)
  const all = history.value
  const shown = all.slice(-limit.value).reverse()
  return (
    <section aria-label="Commands sent" class="log">
      <h2>Sent</h2>
      {all.length === 0 && <Empty>Nothing yet. Ctrl-K lists all commands.</Empty>}
      <ol>
        {shown.map((sent) => (
          <LogRow key={sent.id} sent={sent} />
        ))}
      </ol>
      {all.length > limit.value && (
        <button type="button" class="more" onClick={() => (limit.value += SHOWN_STEP)}>
          Earlier
        </button>
      )}
    </section>
  )
}

const STATES: Readonly<Record<Progress, readonly [Tone, string]>> = {
  queued: ['plain', 'waits'],
  sent: ['plain', 'sent'],
  pending: ['info', 'pending'],
  done: ['good', 'done'],
  refused: ['bad', 'refused'],
  lost: ['warn', 'unknown'],
}

function LogRow({ sent }: { readonly sent: Sent }) {
  const { address, payload, progress, code, text, tick, raw } = sent
  const [tone, state] = STATES[progress]
  return (
    <li data-command={address} data-progress={progress}>
      <p class="ends">
        <span>
          <button type="button" class="again" onClick={() => openForm({ address, payload })}>
            {labelOf(address)}
          </button>{' '}
          <span class="muted name">{describePayload(payload)}</span>
        </span>
        <span class="filters">
          {tick !== undefined && <span class="muted">tick {formatInt(tick)}</span>}
          <Chip tone={tone}>{state}</Chip>
        </span>
      </p>
      {progress === 'refused' ? <Refusal sent={sent} /> : text && <Said text={text} />}
      {raw !== undefined && (
        <details>
          <summary>{code ? 'Refusal as JSON' : 'Answer as JSON'}</summary>
          <Raw value={raw} />
        </details>
      )}
    </li>
  )
}

function Refusal({ sent }: { readonly sent: Sent }) {
  const { code = '', text = '' } = sent
  return (
    <div class="refusal" role="alert">
      <p>
        <a href={`/docs/errors#${encodeURIComponent(code)}`} target="_blank" rel="noopener">
          <code>{code}</code>
        </a>{' '}
        <Words text={text} />
      </p>
      <button type="button" onClick={() => reopenForm(sent)}>
        Change and send again
      </button>
    </div>
  )
}

function Said({ text }: { readonly text: string }) {
  const isWhole = useSignal(text.length <= FOLDED_CHARS)
  return (
    <>
      <p class="words said">
        <Words text={isWhole.value ? text : `${text.slice(0, FOLDED_CHARS)}…`} />
      </p>
      {!isWhole.value && (
        <button
          type="button"
          onClick={() => {
            isWhole.value = true
          }}
        >
          Show all
        </button>
      )}
    </>
  )
}
