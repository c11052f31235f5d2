/** What one might do next, a press each, and the guides for newcomers. */
import { labelOf, suggestionsOf } from './next.ts'
import { openForm, operations, play, send } from './store.ts'
import { Words } from './text.tsx'

/** Always within reach: what answers most questions of a new player. */
const LOOKS = [
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
          Under way
          {game.location.transit_dest_poi_name && ` to ${game.location.transit_dest_poi_name}`}.
          Look around meanwhile: questions are answered at once.
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
        {LOOKS.filter((address) => operations.value.has(address)).map((address) => (
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
