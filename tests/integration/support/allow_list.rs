//! What MongoDB 7.0 takes, from its manual ("Database Commands", "Operators",
//! "Aggregation Stages"): of commands and their options what Inkstone and its
//! tests use, of stages and operators all that a server of one's own has.

use mongodb::bson::{Bson, Document};

/// Commands and their options.
const COMMANDS: &[(&str, &str)] = &[
    ("abortTransaction", "recoveryToken"),
    ("aggregate", "pipeline cursor"),
    ("buildInfo", ""),
    ("collMod", "validator validationAction"),
    ("commitTransaction", "recoveryToken"),
    // On servers started with enableTestCommands.
    ("configureFailPoint", "mode data"),
    ("create", "validator validationAction storageEngine viewOn pipeline"),
    ("createIndexes", "indexes"),
    ("delete", "deletes ordered"),
    ("drop", ""),
    ("dropDatabase", ""),
    ("dropIndexes", "index"),
    ("endSessions", ""),
    ("explain", "verbosity"),
    ("find", "filter projection sort limit batchSize singleBatch"),
    ("findAndModify", "query update remove new upsert sort fields"),
    ("getMore", "collection batchSize"),
    ("hello", "helloOk topologyVersion maxAwaitTimeMS client compression backpressure"),
    ("insert", "documents ordered"),
    // Before it knows better, a driver says hello by its old name.
    ("isMaster", "helloOk topologyVersion maxAwaitTimeMS client compression backpressure"),
    ("killCursors", "cursors"),
    ("listCollections", "nameOnly cursor filter"),
    ("listIndexes", "cursor"),
    ("ping", ""),
    ("update", "updates ordered bypassDocumentValidation"),
];

/// Options of every command.
const ALWAYS: &str = "$db $clusterTime $readPreference lsid txnNumber startTransaction autocommit \
                      readConcern writeConcern maxTimeMS";

const UPDATE_STATEMENT: &str = "q u multi upsert arrayFilters";
const CHANGE_STREAM: &str = "allChangesForCluster fullDocument fullDocumentBeforeChange \
    resumeAfter showExpandedEvents startAfter startAtOperationTime";
/// After `$changeStream` no other stage may stand.
const CHANGE_STREAM_STAGES: &str = "$addFields $changeStream $changeStreamSplitLargeEvent $match \
    $project $redact $replaceRoot $replaceWith $set $unset";
const DELETE_STATEMENT: &str = "q limit";
const INDEX: &str = "key name unique expireAfterSeconds partialFilterExpression";

const QUERY: &str = "$all $and $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $box \
    $caseSensitive $center $centerSphere $comment $diacriticSensitive $elemMatch $eq $exists $expr \
    $geoIntersects $geoWithin $geometry $gt $gte $in $jsonSchema $language $lt $lte $maxDistance \
    $minDistance $mod $ne $near $nearSphere $nin $nor $not $options $or $polygon $regex $search \
    $size $text $type $where";

/// In the condition of a partial index.
const PARTIAL: &str = "$and $eq $exists $gt $gte $in $lt $lte $or $type";

const UPDATE: &str = "$addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push \
    $rename $set $setOnInsert $unset";
const MODIFIERS: &str = "$each $position $slice $sort $type";
const UPDATE_STAGES: &str = "$addFields $project $replaceRoot $replaceWith $set $unset";

/// Without those of Atlas alone.
const STAGES: &str = "$addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent \
    $collStats $count $currentOp $densify $documents $facet $fill $geoNear $graphLookup $group \
    $indexStats $limit $listLocalSessions $listSampledQueries $listSessions $lookup $match $merge \
    $out $planCacheStats $project $redact $replaceRoot $replaceWith $sample $set $setWindowFields \
    $shardedDataDistribution $skip $sort $sortByCount $unionWith $unset";

const EXPRESSIONS: &str = "$abs $accumulator $acos $acosh $add $addToSet $allElementsTrue $and \
    $anyElementTrue $arrayElemAt $arrayToObject $asin $asinh $atan $atan2 $atanh $avg $binarySize \
    $bitAnd $bitNot $bitOr $bitXor $bottom $bottomN $bsonSize $ceil $cmp $concat $concatArrays \
    $cond $convert $cos $cosh $count $covariancePop $covarianceSamp $dateAdd $dateDiff \
    $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth \
    $dayOfWeek $dayOfYear $degreesToRadians $denseRank $derivative $divide $documentNumber \
    $elemMatch $eq $exp $expMovingAvg $filter $first $firstN $floor $function $getField $gt $gte \
    $hour $ifNull $in $indexOfArray $indexOfBytes $indexOfCP $integral $isArray $isNumber \
    $isoDayOfWeek $isoWeek $isoWeekYear $last $lastN $let $linearFill $literal $ln $locf $log \
    $log10 $lt $lte $ltrim $map $max $maxN $median $mergeObjects $meta $millisecond $min $minN \
    $minute $mod $month $multiply $ne $not $objectToArray $or $percentile $pow $push \
    $radiansToDegrees $rand $range $rank $reduce $regexFind $regexFindAll $regexMatch $replaceAll \
    $replaceOne $reverseArray $round $rtrim $sampleRate $second $setDifference $setEquals \
    $setField $setIntersection $setIsSubset $setUnion $shift $sin $sinh $size $slice $sortArray \
    $split $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes \
    $substrCP $subtract $sum $switch $tan $tanh $toBool $toDate $toDecimal $toDouble $toInt \
    $toLong $toLower $toObjectId $toString $toUpper $top $topN $trim $trunc $tsIncrement $tsSecond \
    $type $unsetField $week $year $zip";

/// Everything in a command that is not on the lists.
pub fn breaches(command: &Document) -> Vec<String> {
    let Some(name) = command.keys().next() else { return vec!["no command".to_owned()] };
    let Some((_, options)) = COMMANDS.iter().find(|(known, _)| known == name) else {
        return vec![format!("command {name}")];
    };
    let mut found = Vec::new();
    for (option, value) in command.iter().skip(1) {
        if !has(ALWAYS, option) {
            keys(&format!("option {name}."), options, std::iter::once(option), &mut found);
        }
        match (option.as_str(), value) {
            ("filter" | "query", Bson::Document(filter)) => query(QUERY, filter, &mut found),
            ("validator", Bson::Document(filter)) => query(QUERY, filter, &mut found),
            ("update", change) => update(change, &mut found),
            ("projection" | "fields" | "sort", value) => expression(value, &mut found),
            ("pipeline", Bson::Array(stages)) => {
                let is_stream = documents(stages)
                    .next()
                    .is_some_and(|stage| stage.contains_key("$changeStream"));
                let list = if is_stream { CHANGE_STREAM_STAGES } else { STAGES };
                pipeline(list, stages, &mut found);
            }
            ("updates", Bson::Array(updates)) => {
                for statement in documents(updates) {
                    keys("option update.", UPDATE_STATEMENT, statement.keys(), &mut found);
                    statement.get_document("q").map(|q| query(QUERY, q, &mut found)).ok();
                    update(statement.get("u").unwrap_or(&Bson::Null), &mut found);
                }
            }
            ("deletes", Bson::Array(deletes)) => {
                for statement in documents(deletes) {
                    keys("option delete.", DELETE_STATEMENT, statement.keys(), &mut found);
                    statement.get_document("q").map(|q| query(QUERY, q, &mut found)).ok();
                }
            }
            ("indexes", Bson::Array(indexes)) => {
                for index in documents(indexes) {
                    keys("option index.", INDEX, index.keys(), &mut found);
                    let condition = index.get_document("partialFilterExpression");
                    condition.map(|filter| query(PARTIAL, filter, &mut found)).ok();
                }
            }
            _ => {}
        }
    }
    if name == "explain" {
        command.get_document(name).map(|inner| found.extend(breaches(inner))).ok();
    }
    found
}

fn has(list: &str, name: &str) -> bool {
    list.split(' ').any(|known| known == name)
}

fn documents(values: &[Bson]) -> impl Iterator<Item = &Document> {
    values.iter().filter_map(Bson::as_document)
}

fn keys<'a>(
    what: &str,
    list: &str,
    names: impl Iterator<Item = &'a String>,
    found: &mut Vec<String>,
) {
    let unknown = names.filter(|name| !has(list, name));
    found.extend(unknown.map(|name| format!("{what}{name}")));
}

fn query(list: &str, filter: &Document, found: &mut Vec<String>) {
    let operators = filter.keys().filter(|key| key.starts_with('$'));
    keys("query operator ", list, operators, found);
    for (key, value) in filter {
        match (key.as_str(), value) {
            // Its words are JSON Schema's, without a dollar.
            ("$jsonSchema", _) => {}
            ("$expr", value) => expression(value, found),
            (_, Bson::Document(inner)) => query(list, inner, found),
            (_, Bson::Array(inner)) => {
                documents(inner).for_each(|inner| query(list, inner, found));
            }
            _ => {}
        }
    }
}

fn update(change: &Bson, found: &mut Vec<String>) {
    match change {
        Bson::Array(stages) => pipeline(UPDATE_STAGES, stages, found),
        Bson::Document(change) => {
            let operators = change.keys().filter(|key| key.starts_with('$'));
            keys("update operator ", UPDATE, operators, found);
            for (operator, fields) in change {
                let Bson::Document(fields) = fields else { continue };
                match operator.as_str() {
                    "$pull" => query(QUERY, fields, found),
                    "$addToSet" | "$bit" | "$currentDate" | "$push" => {
                        for modifiers in fields.values().filter_map(Bson::as_document) {
                            let names = modifiers.keys().filter(|key| key.starts_with('$'));
                            keys("update operator ", MODIFIERS, names, found);
                        }
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn pipeline(list: &str, stages: &[Bson], found: &mut Vec<String>) {
    for (stage, value) in documents(stages).flatten() {
        if !has(list, stage) {
            found.push(format!("stage {stage}"));
        }
        match (stage.as_str(), value) {
            ("$match", Bson::Document(filter)) => query(QUERY, filter, found),
            ("$changeStream", Bson::Document(options)) => {
                keys("option $changeStream.", CHANGE_STREAM, options.keys(), found);
            }
            ("$facet", Bson::Document(facets)) => {
                for inner in facets.values().filter_map(Bson::as_array) {
                    pipeline(STAGES, inner, found);
                }
            }
            ("$lookup" | "$unionWith" | "$merge" | "$graphLookup" | "$geoNear", value) => {
                for (key, inner) in value.as_document().into_iter().flatten() {
                    match (key.as_str(), inner) {
                        ("pipeline", Bson::Array(inner)) => pipeline(STAGES, inner, found),
                        ("whenMatched", Bson::Array(inner)) => {
                            pipeline(UPDATE_STAGES, inner, found);
                        }
                        ("query" | "restrictSearchWithMatch", Bson::Document(filter)) => {
                            query(QUERY, filter, found);
                        }
                        _ => expression(inner, found),
                    }
                }
            }
            _ => expression(value, found),
        }
    }
}

fn expression(value: &Bson, found: &mut Vec<String>) {
    match value {
        Bson::Document(inner) => {
            let operators = inner.keys().filter(|key| key.starts_with('$'));
            keys("expression ", EXPRESSIONS, operators, found);
            let walked = inner.iter().filter(|(key, _)| *key != "$literal");
            walked.for_each(|(_, value)| expression(value, found));
        }
        Bson::Array(inner) => inner.iter().for_each(|value| expression(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn what_mongodb_takes_passes() {
        for command in [
            doc! { "find": "c", "filter": { "$and": [{ "a": { "$lte": 1 } }, { "$or": [{ "b": 1 }] }] },
            "sort": { "a": -1 }, "limit": 1, "$db": "d", "lsid": {} },
            doc! { "update": "c", "updates": [{ "q": { "_id": 1 }, "u": { "$push": { "a": {
            "$each": [{ "$odd": 1 }], "$sort": { "b": 1 }, "$slice": 5 } } } }] },
            doc! { "update": "c", "updates": [{ "q": {}, "u": [{ "$set": { "a": { "$add": ["$a", 1] } } }] }] },
            doc! { "aggregate": "c", "cursor": {}, "pipeline": [
                { "$match": { "a": { "$in": [1] } } },
                { "$facet": { "x": [{ "$group": { "_id": "$a", "n": { "$sum": { "$literal": { "$no": 1 } } } } }] } },
                { "$merge": { "into": "d", "whenMatched": [{ "$set": { "b": 1 } }] } },
            ] },
            doc! { "aggregate": 1, "cursor": {}, "pipeline": [
                { "$changeStream": { "startAfter": { "_data": "82" } } },
                { "$match": { "ns.coll": "a" } },
            ] },
        ] {
            assert_eq!(breaches(&command), Vec::<String>::new(), "{command}");
        }
    }

    #[test]
    fn anything_else_is_named() {
        for (command, wanted) in [
            (doc! {}, "no command"),
            (doc! { "frobnicate": 1 }, "command frobnicate"),
            (doc! { "find": "c", "hint": "a" }, "option find.hint"),
            (doc! { "find": "c", "filter": { "a": { "$like": 1 } } }, "query operator $like"),
            (doc! { "find": "c", "filter": { "$expr": { "$plus": 1 } } }, "expression $plus"),
            (doc! { "find": "c", "projection": { "a": { "$plus": 1 } } }, "expression $plus"),
            (doc! { "explain": { "find": "c", "skip": 1 } }, "option find.skip"),
            (doc! { "delete": "c", "deletes": [{ "q": { "$xor": [] } }] }, "query operator $xor"),
            (doc! { "delete": "c", "deletes": [{ "q": {}, "hint": 1 }] }, "option delete.hint"),
            (
                doc! { "update": "c", "updates": [{ "q": {}, "u": {}, "sort": 1 }] },
                "option update.sort",
            ),
            (
                doc! { "update": "c", "updates": [{ "q": {}, "u": { "$prepend": {} } }] },
                "update operator $prepend",
            ),
            (
                doc! { "update": "c", "updates": [{ "u": { "$push": { "a": { "$every": 1 } } } }] },
                "update operator $every",
            ),
            (doc! { "update": "c", "updates": [{ "u": [{ "$match": {} }] }] }, "stage $match"),
            (doc! { "aggregate": "c", "pipeline": [{ "$frob": 1 }] }, "stage $frob"),
            (
                doc! { "aggregate": "c", "pipeline": [{ "$lookup": { "pipeline": [{ "$frob": 1 }] } }] },
                "stage $frob",
            ),
            (
                doc! { "aggregate": "c", "pipeline": [{ "$project": { "a": { "$plus": 1 } } }] },
                "expression $plus",
            ),
            (
                doc! { "aggregate": 1, "pipeline": [{ "$changeStream": { "batchSize": 1 } }] },
                "option $changeStream.batchSize",
            ),
            (
                doc! { "aggregate": 1, "pipeline": [{ "$changeStream": {} }, { "$group": {} }] },
                "stage $group",
            ),
            (doc! { "createIndexes": "c", "indexes": [{ "sparse": true }] }, "option index.sparse"),
            (
                doc! { "createIndexes": "c", "indexes": [{ "partialFilterExpression": { "a": { "$ne": 1 } } }] },
                "query operator $ne",
            ),
        ] {
            assert_eq!(breaches(&command), [wanted], "{command}");
        }
    }
}
