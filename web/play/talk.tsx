/** Shows events of the player, and chat to read and write. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formatId, formatInt } from '../parts/format.ts'
import { PlayerLink } from '../parts/link.tsx'
import { Empty } from '../parts/state.tsx'
import { Chip } from '../parts/tabs.tsx'
import { When } from '../parts/time.tsx'
import { describeNote } from './notes.ts'
import { history, play, send, session, shownTab } from './store.ts'
import { Raw, Words } from './text.tsx'

const SHOWN_MAX = 60
const CHANNELS = ['system', 'local', 'faction'] as const
const CHARS_MAX = 500
const CHAT_ADDRESS = 'game_social/chat'

export function News() {
  const notes = play.value.notes.slice(-SHOWN_MAX).reverse()
  return (
    <section class="talk" aria-label="News">
      <h2>News</h2>
      {notes.length === 0 && <Empty>Events that concern you are shown here.</Empty>}
      <ol>
        {notes.map((note) => (
          <li key={note.n}>
            <details>
              <summary>
                <span class="muted">
                  {formatId(note.type)}
                  {note.tick !== undefined && `, tick ${formatInt(note.tick)}`}
                </span>
                <br />
                <span class="name">
                  <Words text={describeNote(note)} />
                </span>
              </summary>
              <Raw value={note.payload} />
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function Chat() {
  const { chat, unreadChat } = play.value
  const own = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a narrow screen another tab may be shown in its place: then nobody has read it.
    if (own.current?.offsetParent) session.readChat()
  }, [unreadChat, shownTab.value])
  const sent = history.value.findLast(({ address }) => address === CHAT_ADDRESS)
  const refusal = sent?.progress === 'refused' ? sent.text : undefined
  return (
    <section ref={own} class="talk" aria-label="Chat">
      <h2>Chat</h2>
      <SayForm />
      {refusal && (
        <p class="bad" role="alert">
          <Words text={refusal} />
        </p>
      )}
      {chat.length === 0 && <Empty>Nobody has said anything yet.</Empty>}
      <ol>
        {chat
          .slice(-SHOWN_MAX)
          .reverse()
          .map(({ id, sender, content, timestamp, channel: where }, index) => (
            <li key={id || index}>
              <p class="muted">
                <PlayerLink name={sender} /> <Chip>{where}</Chip> <When at={timestamp} />
              </p>
              <p class="words">{content}</p>
            </li>
          ))}
      </ol>
    </section>
  )
}

function SayForm() {
  const channel = useSignal<string>('system')
  const to = useSignal('')
  const text = useSignal('')
  const say = (event: Event) => {
    event.preventDefault()
    const content = text.value.trim()
    const isPrivate = channel.value === 'private'
    if (content === '' || (isPrivate && to.value.trim() === '')) return
    const payload = { target: channel.value, content }
    const whole = isPrivate ? { ...payload, target_id: to.value.trim() } : payload
    if (send({ address: CHAT_ADDRESS, payload: whole })) text.value = ''
  }
  return (
    <form class="filters" onSubmit={say}>
      <select
        aria-label="Channel"
        value={channel}
        onChange={(event) => {
          channel.value = event.currentTarget.value
        }}
      >
        {[...CHANNELS, 'private'].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {channel.value === 'private' && (
        <input
          aria-label="To whom"
          placeholder="To whom"
          value={to}
          onInput={(event) => {
            to.value = event.currentTarget.value
          }}
        />
      )}
      <input
        class="grow"
        aria-label="What to say"
        placeholder="Say something"
        maxLength={CHARS_MAX}
        autocomplete="off"
        value={text}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <button type="submit">Say</button>
    </form>
  )
}
