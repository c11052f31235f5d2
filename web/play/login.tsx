/** The login of the console: by name and password, as a new player, or by an account's API key. */
import { useSignal } from '@preact/signals'
import type { StationsBody } from '../../core/public/world.ts'
import { type AccountPlayer, playersOf, tokenFor } from '../account.ts'
import { useBody } from '../api.ts'
import { formatId } from '../parts/format.ts'
import { Link } from '../parts/link.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { type LoginWay, loginWay, play, session, username } from './store.ts'

const WAYS = [
  { value: 'login', title: 'Log in' },
  { value: 'register', title: 'New player' },
  { value: 'token', title: 'API key' },
]

export function Login() {
  const { phase, why, whyCode } = play.value
  const isBusy = phase === 'opening'
  return (
    <section class="panel login">
      <h2>Fly a ship yourself</h2>
      <Tabs
        label="How to log in"
        choices={WAYS}
        value={loginWay.value}
        onChoose={(value) => {
          loginWay.value = value as LoginWay
        }}
      />
      {why && (
        <p class="bar bad" role="alert">
          <span>
            {whyCode && <b>{whyCode.replaceAll('_', ' ')}</b>} {why}
          </span>
        </p>
      )}
      {loginWay.value === 'login' && <ByPassword isBusy={isBusy} />}
      {loginWay.value === 'register' && <NewPlayer isBusy={isBusy} />}
      {loginWay.value === 'token' && <ByKey isBusy={isBusy} />}
      <p class="muted">
        What you type here stays in this tab's memory. A player who is logged in elsewhere is logged
        out there.
      </p>
    </section>
  )
}

interface BusyProps {
  readonly isBusy: boolean
}

const textOf = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '')

function NameField() {
  return (
    <label class="field">
      <span>Name</span>
      <input
        name="username"
        required
        autocomplete="off"
        spellcheck={false}
        value={username}
        onInput={(event) => {
          username.value = event.currentTarget.value
        }}
      />
    </label>
  )
}

const Submit = ({ isBusy, children }: BusyProps & { readonly children: string }) => (
  <button type="submit" class="primary" disabled={isBusy}>
    {isBusy ? 'Connecting…' : children}
  </button>
)

function ByPassword({ isBusy }: BusyProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const password = textOf(event.currentTarget, 'password')
        session.login({ how: 'login', username: username.value, password })
      }}
    >
      <NameField />
      <label class="field">
        <span>Password</span>
        <input name="password" type="password" required autocomplete="off" />
      </label>
      <Submit isBusy={isBusy}>Log in</Submit>
    </form>
  )
}

/** The code to send if none is given: where registration is open, any code is accepted. */
const ANY_CODE = 'open'
const STATIONS = '/api/stations'

function NewPlayer({ isBusy }: BusyProps) {
  const { data, isSettled } = useBody<StationsBody>(STATIONS, 'M').value
  const empires = data?.empires ?? []
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const { currentTarget: own } = event
        session.login({
          how: 'register',
          username: username.value,
          empire: textOf(own, 'empire'),
          registration_code: textOf(own, 'code') || ANY_CODE,
        })
      }}
    >
      <NameField />
      <div class="field">
        <label for="empire">Empire: you start as its citizen, at its capital</label>
        {empires.length > 0 || !isSettled ? (
          <select id="empire" name="empire" required disabled={!isSettled}>
            {empires.map(({ id, name }) => (
              <option key={id} value={id}>
                {name === id ? formatId(id) : name}
              </option>
            ))}
          </select>
        ) : (
          <input id="empire" name="empire" required autocomplete="off" />
        )}
      </div>
      <label class="field">
        <span>Registration code, if this server needs one</span>
        <input name="code" autocomplete="off" />
      </label>
      <Submit isBusy={isBusy}>Create the player</Submit>
    </form>
  )
}

function ByKey({ isBusy }: BusyProps) {
  const players = useSignal<readonly AccountPlayer[] | undefined>(undefined)
  const fault = useSignal('')
  const key = useSignal('')
  const loadPlayers = async () => {
    fault.value = ''
    try {
      players.value = await playersOf(key.value.trim())
      if (players.value.length === 0) fault.value = 'No player is linked to this account.'
    } catch (error) {
      fault.value = (error as Error).message
    }
  }
  const enter = ({ id, username: name }: AccountPlayer) => {
    const secret = key.value.trim()
    session.login({ how: 'token', username: name, token: () => tokenFor(secret, id) })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void loadPlayers()
      }}
    >
      <label class="field">
        <span>API key of your account</span>
        <input
          type="password"
          required
          autocomplete="off"
          value={key}
          onInput={(event) => {
            key.value = event.currentTarget.value
          }}
        />
      </label>
      <button type="submit">Show my players</button>
      <p>
        <Link to="/intel">Intel: where your players are, and what they know</Link>
      </p>
      {fault.value && (
        <p class="bad" role="alert">
          {fault}
        </p>
      )}
      {(players.value ?? []).map((player) => (
        <button
          key={player.id}
          type="button"
          class="primary"
          disabled={isBusy}
          onClick={() => enter(player)}
        >
          Play as <bdi class="name">{player.username}</bdi>
        </button>
      ))}
    </form>
  )
}
