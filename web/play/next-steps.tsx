/** Suggestions for what to do next, as buttons, and the guides for newcomers. */
import { labelOf, suggestionsOf } from './next.ts'
import { openForm, operations, play, send } from './store.ts'
import { Words } from './text.tsx'

/** Queries that are always offered: they answer most questions of a new player. */
const QUERIES = [
  'game/get_status',
  'game/get_system',
  'game/get_nearby',
  'game/get_missions',
  'game_market/view_market',
]

export function NextSteps() {
  const { game } = play.value
  const suggestions = suggestionsOf(play.value, operations.value)
  return (
    <section class="panel next" aria-label="What to do next">
      <h2>Next</h2>
      {game.location?.in_transit && (
        <p class="muted">
          In transit
          {game.location.transit_dest_poi_name && ` to ${game.location.transit_dest_poi_name}`}. You
          can look around meanwhile: queries are answered at once.
        </p>
      )}
      <ul>
        {suggestions.map(({ label, why, call }) => (
          <li key={`${label} ${why}`}>
            {call && (
              <button type="button" class="step" onClick={() => send(call)}>
                {label}
              </button>
            )}
            <span class="muted">
              <Words text={why} />
            </span>
          </li>
        ))}
      </ul>
      <p class="filters">
        {QUERIES.filter((address) => operations.value.has(address)).map((address) => (
          <button
            key={address}
            type="button"
            class="chip"
            onClick={() => send({ address, payload: {} })}
          >
            {labelOf(address)}
          </button>
        ))}
        <button
          type="button"
          class="chip"
          onClick={() => send({ address: 'game/get_guide', payload: { id: 'getting-started' } })}
        >
          Guide: the first hour
        </button>
        <button
          type="button"
          class="chip"
          onClick={() => openForm({ address: 'game/get_guide', payload: {} })}
        >
          Other guides
        </button>
      </p>
    </section>
  )
}
