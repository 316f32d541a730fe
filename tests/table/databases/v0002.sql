BEGIN TRANSACTION;
CREATE TABLE analyses (
	"match" VARCHAR(32) NOT NULL,
	games INTEGER NOT NULL,
	chances TEXT NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE TABLE chat (
	"match" VARCHAR(32) NOT NULL,
	id INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	text TEXT NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY ("match", id),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "chat" VALUES('wFH17gsgal38',1,0,'hello',1000.0);
CREATE TABLE matches (
	id VARCHAR(32) NOT NULL,
	game VARCHAR(32) NOT NULL,
	rules INTEGER NOT NULL,
	options TEXT NOT NULL,
	"key" VARCHAR(64) NOT NULL,
	commitment VARCHAR(64) NOT NULL,
	status VARCHAR(8) NOT NULL,
	public BOOLEAN NOT NULL,
	hints BOOLEAN DEFAULT 0 NOT NULL,
	origin VARCHAR(32) DEFAULT '' NOT NULL,
	taken INTEGER DEFAULT '0' NOT NULL,
	host VARCHAR(64) NOT NULL,
	created FLOAT NOT NULL,
	rematch VARCHAR(32) NOT NULL,
	revision INTEGER NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "matches" VALUES('wFH17gsgal38','coals',1,'{"pact": "every_devil", "mouth": "20", "track": "200,300,500,800,1200,1600", "goal": "1600", "furnace": "2,3,7,9,9,9,9", "open_purses": "no"}','2f48575898a2e7455f4e0667e0694ff1953de2c09eb1def7a8254b7faeb4e5ee','4e9e1d177e03942bb10e21f442686197df51e60f0f3f1e118cf23a4379848824','running',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',1000.0,'',1);
INSERT INTO "matches" VALUES('_a0m_m-N7Zny','tails',1,'{}','8d79258471d1de66c68bef0dd1c8dee28a968fa1ea7c4f421db68ebc674541df','8b3aa442b7b57c3729ab492d2aa2360088e01dde1ab39d7e08bc5bbad9cef040','open',0,0,'',0,'42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',1000.0,'',0);
CREATE TABLE plies (
	"match" VARCHAR(32) NOT NULL,
	seq INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	events TEXT NOT NULL,
	at FLOAT NOT NULL,
	since INTEGER NOT NULL,
	PRIMARY KEY ("match", seq),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
INSERT INTO "plies" VALUES('wFH17gsgal38',0,-1,'[[-1, "first 1"]]',1000.0,1);
INSERT INTO "plies" VALUES('wFH17gsgal38',1,0,'[[0, "bet 50"]]',1000.0,1);
INSERT INTO "plies" VALUES('wFH17gsgal38',2,1,'[[1, "bet 50"]]',1000.0,3);
INSERT INTO "plies" VALUES('wFH17gsgal38',3,1,'[[1, "pull"], [-1, "coal 100"]]',1000.0,4);
INSERT INTO "plies" VALUES('wFH17gsgal38',4,1,'[[1, "pull"], [-1, "coal 50"]]',1000.0,5);
INSERT INTO "plies" VALUES('wFH17gsgal38',5,1,'[[1, "pull"], [-1, "coal devil"]]',1000.0,6);
CREATE TABLE seats (
	"match" VARCHAR(32) NOT NULL,
	seat INTEGER NOT NULL,
	kind VARCHAR(8) NOT NULL,
	name VARCHAR(64) NOT NULL,
	owner VARCHAR(64),
	link VARCHAR(64),
	bot VARCHAR(64) NOT NULL,
	stand_in VARCHAR(64) NOT NULL,
	nonce VARCHAR(64) NOT NULL,
	PRIMARY KEY ("match", seat),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE,
	UNIQUE (link)
);
INSERT INTO "seats" VALUES('wFH17gsgal38',0,'person','Ann','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','9408f55ce77de106');
INSERT INTO "seats" VALUES('wFH17gsgal38',1,'person','Bo','df16960b96b3b66d199f80d36178d5f3c3c9443a864c47c1e4d82541bc0580fb',NULL,'','','e35a5de53da0ac93');
INSERT INTO "seats" VALUES('_a0m_m-N7Zny',0,'person','','42fdbf8ac152a14dcd35e079a1f75b30e9889952599e5ea8ec35abef184ae7d2',NULL,'','','93337b5219012286');
INSERT INTO "seats" VALUES('_a0m_m-N7Zny',1,'open','',NULL,NULL,'','','');
CREATE TABLE snapshots (
	"match" VARCHAR(32) NOT NULL,
	seq INTEGER NOT NULL,
	layout VARCHAR(32) NOT NULL,
	state BLOB NOT NULL,
	PRIMARY KEY ("match"),
	FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
CREATE INDEX matches_by_status ON matches (status, created);
CREATE INDEX seats_by_owner ON seats (owner);
COMMIT;
