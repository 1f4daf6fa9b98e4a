//! One writer at a time for each post, within this process.
//!
//! Two transactions on one post conflict, and the loser does its work again. On
//! a hot post that costs more than waiting: with the lock 287 comments a second
//! and a p99 of 174 ms, without it 172 and 1,164 ms (data model, rule 4).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use mongodb::bson::oid::ObjectId;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Locks by post id. A post without a writer takes no memory.
#[derive(Clone, Default)]
pub struct PostLocks(Arc<Mutex<HashMap<ObjectId, Weak<AsyncMutex<()>>>>>);

impl PostLocks {
    /// Waits for its turn at the post.
    pub async fn lock(&self, post_id: ObjectId) -> OwnedMutexGuard<()> {
        let turn = {
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match locks.get(&post_id).and_then(Weak::upgrade) {
                Some(turn) => turn,
                None => {
                    locks.retain(|_, turn| turn.strong_count() > 0);
                    let turn = Arc::new(AsyncMutex::new(()));
                    locks.insert(post_id, Arc::downgrade(&turn));
                    turn
                }
            }
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_post_waits_and_another_does_not() {
        let locks = PostLocks::default();
        let (a, b) = (ObjectId::from_bytes([1; 12]), ObjectId::from_bytes([2; 12]));
        let held = locks.lock(a).await;
        let other = locks.lock(b).await;
        let waiting = tokio::spawn({
            let locks = locks.clone();
            async move { locks.lock(a).await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(held);
        drop(waiting.await.unwrap());
        drop(other);
        let last = locks.lock(ObjectId::from_bytes([3; 12])).await;
        assert_eq!(locks.0.lock().unwrap().len(), 1);
        drop(last);
    }
}
