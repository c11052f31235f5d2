/** Indexes with which pages of long lists are read without the rows before them. */
export const READING = `
drop index action_log_player;
create index action_log_player on action_log (player, id desc) where faction_id is null;
create index action_log_category on action_log (player, category, id desc) include (event_type)
  where faction_id is null;

drop index forum_thread_words;
alter table forum_thread add column words tsvector
  generated always as (to_tsvector('simple', title || ' ' || content)) stored;
create index forum_thread_words on forum_thread using gin (words);
create index forum_thread_newest on forum_thread (pinned desc, id desc)
  where not (deleted and reply_count = 0);
create index forum_thread_replies on forum_thread (pinned desc, reply_count desc, id desc)
  where not (deleted and reply_count = 0);
create index forum_thread_upvotes on forum_thread (pinned desc, upvotes desc, id desc)
  where not (deleted and reply_count = 0);
create index forum_thread_at on forum_thread (at);
create index forum_thread_tag on forum_thread (upper(author_faction_tag), id desc);
create index forum_thread_author_id on forum_thread (author_id, id desc);
create index forum_thread_pinned on forum_thread (id desc) where pinned;
create index forum_thread_dev on forum_thread (id desc) where is_dev_team;
`
